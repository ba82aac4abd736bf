import DataLoader from 'dataloader'
import type { Database } from '@adonisjs/lucid/database'
import type { Transaction } from '#auth/store/contract'
import { selectRows } from '#database/select_rows'

/*
 | What ended before its time is also written to the database, in the transaction that
 | ends it. Redis may come back with older data (a restart from a snapshot, a replica that
 | had not caught up): before it is believed again, it is told what has ended since.
 */

export interface Ending {
  sessionId: string
  /** The one token that was revoked; null for the whole session. */
  tokenId: string | null
  /** From when on it would be refused anyway. */
  expiresAt: number
}

/** A user as the database knows it, with what of these sessions has ended. */
export interface Account {
  version: number
  endings: Ending[]
}

interface Question {
  userId: string
  sessionIds: string[]
}

export class Ledger {
  #db: Database
  #accounts: DataLoader<Question, Account | null>

  constructor(db: Database) {
    this.#db = db
    this.#accounts = new DataLoader((questions) => this.#answer(questions), {
      cache: false,
      maxBatchSize: 200,
    })
  }

  async record(userId: string, endings: Ending[], trx: Transaction) {
    if (endings.length === 0) return
    const rows = endings.map(({ sessionId, tokenId, expiresAt }) => ({
      session_id: sessionId,
      token_id: tokenId ?? '',
      user_id: userId,
      expires_at: expiresAt,
    }))
    await trx.knexQuery().insert(rows).into('endings').onConflict().ignore()
  }

  /** The account and what of its sessions has ended; null when it is disabled or gone. */
  find(userId: string, sessionIds: string[]) {
    return this.#accounts.load({ userId, sessionIds })
  }

  /** The questions of one turn of the event loop travel as one query. */
  async #answer(questions: readonly Question[]) {
    const rows = await selectRows<Record<string, any>>(
      this.#db.connection(),
      `SELECT u.id, u.version, e.session_id, e.token_id, e.expires_at
       FROM users u LEFT JOIN endings e ON e.session_id = ANY(?::uuid[]) AND e.user_id = u.id
       WHERE u.id = ANY(?::uuid[]) AND u.disabled_at IS NULL`,
      [questions.flatMap((each) => each.sessionIds), questions.map((each) => each.userId)]
    )
    const accounts = new Map<string, Account>()
    for (const row of rows) {
      const account: Account = accounts.get(row.id) ?? { version: row.version, endings: [] }
      if (row.session_id) account.endings.push(toEnding(row))
      accounts.set(row.id, account)
    }
    return questions.map(({ userId }) => accounts.get(userId) ?? null)
  }

  async prune(now: number) {
    return Number(await this.#db.from('endings').where('expires_at', '<=', now).delete())
  }
}

function toEnding(row: Record<string, any>): Ending {
  return {
    sessionId: row.session_id,
    tokenId: row.token_id || null,
    expiresAt: Number(row.expires_at),
  }
}
