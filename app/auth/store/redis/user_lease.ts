import { leaseKey } from './keys.ts'
import type { RedisConnection } from './connection.ts'

/*
 | The lease of a user says: “under this incarnation of Redis this user was compared with
 | this incarnation of the database at this version”. As long as it is valid, a request needs
 | no database.
 |
 | It stops being valid when a transaction that changes the user is about to be committed
 | (`beginChange`), when Redis or the database restarts or another server takes over, and
 | when it expires or is evicted. Then a request asks the database and renews the lease, but only if the
 | lease is what it was before the question: an answer that crossed a change is used for
 | its own request and not kept. `docs/store.md` has the diagram of its states.
 */

/** After this time the user is compared anew: a change made by other tools shows by then. */
const LEASE_MS = 600_000

/**
 * How long the mark of a change stays. A writer that died leaves its mark behind, and until
 * it expires each request of the user asks the database. It has to be longer than any commit
 * or look-up takes: otherwise a look-up from before the change could renew the lease after it.
 */
const CHANGE_MS = 30_000

/** Users whose marks are sent at once: a bulk change must not fill the socket's buffer. */
const BATCH = 1_000

/** What a request found in place of a valid lease. */
export interface InvalidLease {
  /** The value of the key; empty when there is none. */
  value: string
  incarnation: string
}

/** What the database named in one statement. */
export interface ComparedUser {
  version: string
  /** Empty on a server that still follows another one, whose answers are not leased. */
  incarnation: string
}

export class UserLease {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  /** Leases a version that was read from the database after the lease was found invalid. */
  async renew(userId: string, { value, incarnation }: InvalidLease, compared: ComparedUser) {
    if (!compared.incarnation) return
    const args = [value, incarnation, compared.incarnation, compared.version, LEASE_MS]
    await this.#redis.run('gatehouseRenewLease', [leaseKey(userId)], args)
  }

  /** Before the commit of a change to these users: from now on requests ask the database. */
  async beginChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseBeginChange', [key], [writer, CHANGE_MS])
    )
  }

  /** After the commit: a request that asks the database from now on may renew the lease. */
  async endChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (key) =>
      this.#redis.run('gatehouseEndChange', [key], [writer, CHANGE_MS])
    )
  }

  async #mark(userIds: string[], mark: (key: string) => Promise<unknown>) {
    for (let at = 0; at < userIds.length; at += BATCH) {
      const batch = userIds.slice(at, at + BATCH)
      await Promise.all(batch.map((userId) => mark(leaseKey(userId))))
    }
  }
}
