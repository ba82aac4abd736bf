import { currentIncarnation, INCARNATION, noteIncarnation } from '#database/incarnation'
import { noteConfiguration } from '#database/configuration_version'
import { oneAtATime } from '#database/one_at_a_time'
import { selectRows } from '#database/select_rows'
import { slotOf, tagsOfSlots } from './cluster_slots.ts'
import { configurationKey } from './keys.ts'
import { BATCH, CHANGE_MS, type ComparedVersion, type InvalidLease } from './user_lease.ts'
import type { Database } from '@adonisjs/lucid/database'
import type { RedisConnection } from './connection.ts'

// The version of the data in memory has a lease with the same rules as a user's lease. A token's
// script can read only keys in the slot of its user: in a cluster each slot has the lease.

/** Short: a process of an earlier release changes clients without a mark. */
const LEASE_MS = 60_000

export class ConfigurationLease {
  #redis: RedisConnection
  #db: Database
  #compared = oneAtATime(() => this.#readVersion())

  constructor(redis: RedisConnection, db: Database) {
    this.#redis = redis
    this.#db = db
  }

  keyFor(tag: string) {
    return configurationKey(this.#isShared ? tagsOfSlots()[slotOf(tag)] : SINGLE)
  }

  get #isShared() {
    return this.#redis.client.isCluster
  }

  async read() {
    const key = this.keyFor(SINGLE)
    const args = [currentIncarnation()]
    const reply = await this.#redis.run<ConfigurationReply>(
      'gatehouseReadConfiguration',
      [key],
      args
    )
    await this.note(key, reply)
  }

  /** Notes the version, and asks the database for it if there is no valid lease. */
  async note(key: string, [version, value, incarnation]: ConfigurationReply) {
    noteConfiguration(version ?? (await this.#compare(key, { value, incarnation })))
  }

  async #compare(key: string, { value, incarnation }: InvalidLease) {
    const compared = await this.#compared()
    noteIncarnation(compared.incarnation)
    if (!compared.incarnation) return compared.version
    const args = [value, incarnation, compared.incarnation, compared.version, LEASE_MS]
    await this.#redis.run('gatehouseRenewLease', [key], args)
    return compared.version
  }

  /** Reads from the primary, because a replica may lag. */
  async #readVersion() {
    const sql = `SELECT version, ${INCARNATION} AS incarnation FROM configuration_version`
    const [row] = await selectRows<ComparedVersion>(this.#db.connection(), sql, [])
    return row
  }

  beginChange(writer: string) {
    return this.#mark('gatehouseBeginChange', writer)
  }

  endChange(writer: string) {
    return this.#mark('gatehouseEndChange', writer)
  }

  async #mark(script: 'gatehouseBeginChange' | 'gatehouseEndChange', writer: string) {
    const keys = (this.#isShared ? tagsOfSlots() : [SINGLE]).map(configurationKey)
    for (let at = 0; at < keys.length; at += BATCH) {
      const batch = keys.slice(at, at + BATCH)
      await Promise.all(batch.map((key) => this.#redis.run(script, [key], [writer, CHANGE_MS])))
    }
  }
}

const SINGLE = 'all'

export type ConfigurationReply = [version: string | null, lease: string, incarnation: string]
