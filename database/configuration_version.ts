import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { onTakeover } from './incarnation.ts'
import type { LucidModel, LucidRow, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Clients, keys and the like are held in memory under one random version. The query that tells
 | whether a token is active reads it along, so that a request never rests on an earlier change. A
 | counter would repeat its numbers where a failover loses commits.
 */

/** Their changes renew the version by triggers (`configuration_triggers.ts`). */
export const CONFIGURATION_TABLES = ['oauth_clients', 'client_deletions', 'signing_keys', 'groups']

let known = ''

/** An answer that was under way may bring back an earlier version, so that changes are counted. */
let changes = 0

const listeners: (() => void)[] = []

export function onConfigurationChange(forget: () => void) {
  listeners.push(forget)
}

interface CurrentRequest {
  /** Empty until it was read. */
  version: string
}

const requests = new AsyncLocalStorage<CurrentRequest>()

function become(version: string) {
  if (version === known) return
  known = version
  changes++
  for (const forget of listeners) forget()
}

/** Called with each version that is read, by the request that reads it. */
export function noteConfiguration(version: string) {
  const request = requests.getStore()
  if (request) request.version = version
  become(version)
}

const VERSION = '(SELECT version FROM configuration_version WHERE id = 1) AS configuration'

/** The first row of a query that reads the version along. */
export async function firstWithConfiguration<Row extends LucidRow>(
  query: ModelQueryBuilderContract<LucidModel, Row>
): Promise<Row | null> {
  const row = await query.select(query.client.raw(VERSION)).first()
  if (row) noteConfiguration(row.$extras.configuration)
  return row
}

/** A server that took over may lack commits. */
onTakeover(() => become(''))

type ReadVersion = () => unknown

/** Within it `ensureConfiguration` reads the version once at most. */
export function asOneRequest<Result>(work: () => Promise<Result>) {
  return requests.run({ version: '' }, work)
}

/** Called before memory decides anything. `read` notes the version. */
export async function ensureConfiguration(read: ReadVersion) {
  if (!requests.getStore()?.version) await read()
}

/**
 * For work that uses what is in memory first and reads the version later: repeats it if that was
 * another one, whether the work succeeded or was refused.
 */
export async function underOneConfiguration<Result>(
  read: ReadVersion,
  work: () => Promise<Result>
): Promise<Result> {
  for (;;) {
    const [before, request] = [known, { version: '' }]
    const [result] = await requests.run(request, async () => {
      const settled = await Promise.allSettled([work()])
      await ensureConfiguration(read)
      return settled
    })
    if (request.version !== before) continue
    if (result.status === 'fulfilled') return result.value
    throw result.reason
  }
}

/** Values by key. What does not exist is asked for each time. */
export class Remembered<Value extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Value>

  constructor({ max }: { max: number }) {
    this.#values = new LRUCache<string, Value>({ max })
    onConfigurationChange(() => this.#values.clear())
  }

  forget(key: string) {
    this.#values.delete(key)
  }

  /**
   * A value that was read during a change is used once and not kept.
   * @param isCurrent false for a value that rests on something else that has changed
   */
  async find(key: string, read: () => Promise<Value | null>, isCurrent = (_: Value) => true) {
    const value = this.#values.get(key)
    if (value !== undefined && isCurrent(value)) return value
    const before = changes
    const found = await read()
    if (found !== null && known && before === changes) this.#values.set(key, found)
    return found
  }
}
