import type { Database } from '@adonisjs/lucid/database'
import type { AttemptLimits, Reservation } from '#auth/store/contract'
import { inBatches } from '#database/batches'
import { withoutSync } from '#database/postgres_durability'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'
import { marked, RESERVE, RETURN, LOCK } from './attempts_sql.ts'

interface Lock {
  until: number
  now: number
}

export class LoginAttempts {
  #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async reserve(
    countKey: string,
    { threshold, windowMs, id }: AttemptLimits & { id: string },
    now: number
  ) {
    const bindings = { countKey, now, threshold, windowEnd: now + windowMs, id: marked(id) }
    const client = this.#db.connection()
    /** A count needs no sync: the failure or session that follows it syncs before the response. */
    const [row] = await selectRows<{ attempts: number }>(
      client,
      RESERVE + withoutSync(client),
      bindings
    )
    if (row) return { outcome: 'reserved', number: row.attempts } as Reservation
    return this.#refusal(countKey, now)
  }

  async #refusal(countKey: string, now: number): Promise<Reservation> {
    const row = await this.#db.from('login_attempts').where('count_key', countKey).first()
    if (row?.locked_until) return { outcome: 'locked', until: row.locked_until }
    return { outcome: 'exhausted', until: row?.expires_at ?? now }
  }

  async return(countKey: string, id: string) {
    const bindings = { countKey, id: marked(id), holdsId: `%${marked(id)}%` }
    const returned = await selectRows(this.#db.connection(), RETURN, bindings)
    return returned.length === 1
  }

  async lock(countKey: string, { until, now }: Lock, trx?: Transaction) {
    await selectRows(trx ?? this.#db.connection(), LOCK, { countKey, until, now })
  }

  async unlock(countKey: string, trx?: Transaction) {
    const [cleared] = await selectRows<{ locked_until: number | string | null }>(
      trx ?? this.#db.connection(),
      'DELETE FROM login_attempts WHERE count_key = ? RETURNING locked_until',
      [countKey]
    )
    return cleared?.locked_until ? Number(cleared.locked_until) : null
  }

  async prune(now: number) {
    const lapsed = () =>
      this.#db
        .from('login_attempts')
        .where('expires_at', '<=', now)
        .where((query) => query.whereNull('locked_until').orWhere('locked_until', '<=', now))
    return inBatches(async (size) => {
      const batch = lapsed().limit(size).select('count_key')
      return Number(await lapsed().whereIn('count_key', batch).delete())
    })
  }
}
