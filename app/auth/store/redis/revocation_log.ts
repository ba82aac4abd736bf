import DataLoader from 'dataloader'
import { deleteExpired } from '#database/delete_expired'
import { INCARNATION } from '#database/incarnation'
import { selectRows } from '#database/select_rows'
import type { Database } from '@adonisjs/lucid/database'
import type { Transaction } from '#database/transaction'

// Also writes each revocation to the database, in the same transaction. Redis may restart with
// older data: these revocations are then repeated before the user gets a lease.

export interface Revocation {
  sessionId: string
  /** Null for the whole session. */
  tokenId: string | null
  /** In milliseconds; after this time the row is not needed. */
  expiresAt: number
}

export interface UserRevocations {
  version: string
  /** The incarnation of the database that gave this answer (`database/incarnation.ts`). */
  incarnation: string
  revocations: Revocation[]
}

interface Lookup {
  userId: string
  sessionIds: string[]
}

export class RevocationLog {
  #db: Database
  #loader: DataLoader<Lookup, UserRevocations | null>

  constructor(db: Database) {
    this.#db = db
    this.#loader = new DataLoader((lookups) => this.#findAll(lookups), {
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

  async hasEnded(userId: string, sessionId: string, trx: Transaction) {
    const ended = trx.from('revocations').where({ session_id: sessionId, user_id: userId })
    return Boolean(await ended.where('token_id', '').select('session_id').first())
  }

  /** Asks the primary, because a replica may lag. @returns null for a disabled or deleted user */
  find(userId: string, sessionIds: string[]) {
    return this.#loader.load({ userId, sessionIds })
  }

  async #findAll(lookups: readonly Lookup[]) {
    const rows = await selectRows<Record<string, any>>(
      this.#db.connection(),
      `SELECT u.id, u.version_id, ${INCARNATION} AS incarnation, r.session_id, r.token_id, r.expires_at
       FROM users u LEFT JOIN revocations r ON r.session_id = ANY(?::uuid[]) AND r.user_id = u.id
       WHERE u.id = ANY(?::uuid[]) AND u.disabled_at IS NULL`,
      [lookups.flatMap((each) => each.sessionIds), lookups.map((each) => each.userId)]
    )
    const byUser = new Map<string, UserRevocations>()
    for (const row of rows) {
      const user = byUser.get(row.id) ?? toUser(row)
      if (row.session_id) user.revocations.push(toRevocation(row))
      byUser.set(row.id, user)
    }
    return lookups.map(({ userId }) => byUser.get(userId) ?? null)
  }

  prune(now: number) {
    return deleteExpired(this.#db.connection(), { table: 'revocations' }, now)
  }
}

function toUser({ version_id: version, incarnation }: Record<string, any>): UserRevocations {
  return { version, incarnation, revocations: [] }
}

function toRevocation(row: Record<string, any>): Revocation {
  return {
    sessionId: row.session_id,
    tokenId: row.token_id || null,
    expiresAt: Number(row.expires_at),
  }
}
