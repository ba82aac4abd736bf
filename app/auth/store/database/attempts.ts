import type { Database } from '@adonisjs/lucid/database'
import type { AttemptLimits, Reservation } from '#auth/store/contract'
import { inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'

// One statement counts and decides, so that parallel guesses share one bound. A row comes back only
// to a caller that may try.
const RESERVE = `
  INSERT INTO login_attempts AS a (count_key, attempts, expires_at, reservations)
  VALUES (:countKey, 1, :windowEnd, :id)
  ON CONFLICT (count_key) DO UPDATE SET
    attempts = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL THEN 1
                    ELSE a.attempts + 1 END,
    expires_at = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL
                      THEN excluded.expires_at ELSE a.expires_at END,
    reservations = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL
                        THEN excluded.reservations
                        ELSE a.reservations || excluded.reservations END,
    locked_until = NULL
  WHERE (a.locked_until IS NULL AND (a.expires_at <= :now OR a.attempts < :threshold))
     OR a.locked_until <= :now
  RETURNING attempts`

/** An attempt that was not counted, or was returned before, changes nothing. */
const RETURN = `
  UPDATE login_attempts
  SET attempts = attempts - 1, reservations = replace(reservations, :id, '')
  WHERE count_key = :countKey AND attempts > 0 AND locked_until IS NULL
    AND reservations LIKE :holdsId
  RETURNING count_key`

const LOCK = `
  INSERT INTO login_attempts AS a (count_key, attempts, expires_at, locked_until)
  VALUES (:countKey, 0, :until, :until)
  ON CONFLICT (count_key) DO UPDATE SET locked_until = excluded.locked_until
  WHERE a.locked_until IS NULL OR a.locked_until <= :now
  RETURNING count_key`

/** Appended on Postgres, it takes effect until the end of the statement's transaction. */
const WITHOUT_SYNC = `, set_config('synchronous_commit', 'off', true)`

const marked = (id: string) => `${id}.`

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
    const [row] = await selectRows<{ attempts: number }>(
      this.#db.connection(),
      RESERVE + this.#syncOption,
      bindings
    )
    if (row) return { outcome: 'reserved', number: row.attempts } as Reservation
    return this.#refusal(countKey, now)
  }

  // A count needs no disk sync: the failure or session that follows it syncs before the response.
  // `database/sqlite_durability.ts` does the same for SQLite (docs/performance.md).
  get #syncOption() {
    return this.#db.connection().dialect.name === 'postgres' ? WITHOUT_SYNC : ''
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

  async clear(countKey: string, trx?: Transaction) {
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
