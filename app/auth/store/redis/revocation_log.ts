import DataLoader from 'dataloader'
import { selectRows } from '#database/select_rows'
import type { Database } from '@adonisjs/lucid/database'
import type { Transaction } from '#database/transaction'

/*
 | What ended before its time is also written to the database, in the transaction that
 | ends it. Redis may come back with older data (a restart from a snapshot, a replica that
 | had not caught up): before it is believed again, it is told what has ended since.
 */

export interface Revocation {
  sessionId: string
  /** The one token that was revoked; null for the whole session. */
  tokenId: string | null
  /** From when on it would be refused anyway. */
  expiresAt: number
}

/** A user as the database knows it, with what of these sessions has ended. */
export interface UserRevocations {
  version: number
  revocations: Revocation[]
}

interface Question {
  userId: string
  sessionIds: string[]
}

export class RevocationLog {
  #db: Database
  #loader: DataLoader<Question, UserRevocations | null>

  constructor(db: Database) {
    this.#db = db
    this.#loader = new DataLoader((questions) => this.#answer(questions), {
      cache: false,
      maxBatchSize: 200,
    })
  }

  async record(userId: string, revocations: Revocation[], trx: Transaction) {
    if (revocations.length === 0) return
    const rows = revocations.map(({ sessionId, tokenId, expiresAt }) => ({
      session_id: sessionId,
      token_id: tokenId ?? '',
      user_id: userId,
      expires_at: expiresAt,
    }))
    await trx.knexQuery().insert(rows).into('revocations').onConflict().ignore()
  }

  /** The user and what of its sessions has ended; null when it is disabled or gone. */
  find(userId: string, sessionIds: string[]) {
    return this.#loader.load({ userId, sessionIds })
  }

  /** The questions of one turn of the event loop travel as one query. */
  async #answer(questions: readonly Question[]) {
    const rows = await selectRows<Record<string, any>>(
      this.#db.connection(),
      `SELECT u.id, u.version, e.session_id, e.token_id, e.expires_at
       FROM users u LEFT JOIN revocations e ON e.session_id = ANY(?::uuid[]) AND e.user_id = u.id
       WHERE u.id = ANY(?::uuid[]) AND u.disabled_at IS NULL`,
      [questions.flatMap((each) => each.sessionIds), questions.map((each) => each.userId)]
    )
    const byUser = new Map<string, UserRevocations>()
    for (const row of rows) {
      const known: UserRevocations = byUser.get(row.id) ?? { version: row.version, revocations: [] }
      if (row.session_id) known.revocations.push(toRevocation(row))
      byUser.set(row.id, known)
    }
    return questions.map(({ userId }) => byUser.get(userId) ?? null)
  }

  async prune(now: number) {
    return Number(await this.#db.from('revocations').where('expires_at', '<=', now).delete())
  }
}

function toRevocation(row: Record<string, any>): Revocation {
  return {
    sessionId: row.session_id,
    tokenId: row.token_id || null,
    expiresAt: Number(row.expires_at),
  }
}
