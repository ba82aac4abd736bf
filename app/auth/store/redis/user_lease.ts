import { endOfSessions, leaseKey, type EndedSessions } from './keys.ts'
import type { RedisConnection } from './connection.ts'

// With a valid lease, a request does not ask the database: Redis was compared with it for this user
// at this version. A change, a restart or an expiry ends the lease. An answer that overlaps with a
// change is used for one request and not kept (docs/store.md).

// Limits how long a change by other tools, such as SQL by hand, stays unseen.
const LEASE_MS = 600_000

// The mark of a change outlives any commit or look-up: an earlier look-up could renew the lease.
// A crashed writer leaves its mark behind, and requests ask the database until the mark expires.
export const CHANGE_MS = 30_000

// A bulk change must not fill the socket's buffer.
export const BATCH = 1_000

export interface InvalidLease {
  /** The value of the lease; empty if there is none. */
  value: string
  incarnation: string
}

export interface ComparedVersion {
  version: string
  /** Empty on a replica, whose answers are not leased. */
  incarnation: string
}

export class UserLease {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async renew(userId: string, { value, incarnation }: InvalidLease, compared: ComparedVersion) {
    if (!compared.incarnation) return
    const args = [value, incarnation, compared.incarnation, compared.version, LEASE_MS]
    await this.#redis.run('gatehouseRenewLease', [leaseKey(userId)], args)
  }

  /**
   * Call it before the commit: requests ask the database from now on.
   * @param ended ids of the sessions that end with the change, by user
   */
  async beginChange(userIds: string[], writer: string, ended?: EndedSessions) {
    await this.#mark(userIds, (userId) => {
      const { keys, args } = endOfSessions(userId, ended?.get(userId) ?? [])
      const mark = [writer, CHANGE_MS]
      return this.#redis.run(
        'gatehouseBeginUserChange',
        [leaseKey(userId), ...keys],
        [...mark, ...args]
      )
    })
  }

  /** Call it after the commit: a look-up from now on may renew the lease. */
  async endChange(userIds: string[], writer: string) {
    await this.#mark(userIds, (userId) =>
      this.#redis.run('gatehouseEndChange', [leaseKey(userId)], [writer, CHANGE_MS])
    )
  }

  async #mark(userIds: string[], mark: (userId: string) => Promise<unknown>) {
    for (let at = 0; at < userIds.length; at += BATCH) {
      await Promise.all(userIds.slice(at, at + BATCH).map(mark))
    }
  }
}
