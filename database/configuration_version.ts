import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { onFailover } from './incarnation.ts'
import { oneAtATime } from './one_at_a_time.ts'
import type { LucidModel, LucidRow, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Clients, keys and other configuration are held in memory under one random version. The query for
 | the state of a token also reads the version, so that no request relies on an earlier state. A
 | counter would repeat its numbers after a failover that loses commits.
 */

/** Triggers renew the version when one of these tables changes (`configuration_triggers.ts`). */
export const CONFIGURATION_TABLES = [
  'oauth_clients',
  'client_deletions',
  'signing_keys',
  'groups',
  'settings',
  'external_providers',
]

let known = ''

/** Counts changes, because a late answer may bring back an earlier version. */
let changes = 0

const listeners: (() => void)[] = []

export function onConfigurationChange(forget: () => void) {
  listeners.push(forget)
}

let load = async () => {}

let loadedUnder = ''

const loadOnce = oneAtATime(async () => {
  const version = known
  await load()
  loadedUnder = version
})

/** For values that are read synchronously: a request that read their version awaits this load. */
export function loadWithConfiguration(read: () => Promise<void>) {
  load = read
}

/** Returns null if the loaded values belong to the version that was read last. */
export function configurationLoading(): Promise<void> | null {
  return loadedUnder === known || known === '' ? null : loadOnce()
}

/** Stores call it after they have noted a version. Most answers do not wait. */
export function afterLoading<Result>(result: Result): Result | Promise<Result> {
  const loading = configurationLoading()
  return loading ? loading.then(() => result) : result
}

interface CurrentRequest {
  /** Empty until the version is read. */
  version: string
}

const requests = new AsyncLocalStorage<CurrentRequest>()

const pages = new AsyncLocalStorage<{ hasRead: boolean }>()

/** Within `work`, `ensureConfigurationOfPage` reads the version unless other code has read it. */
export function asPage<Result>(work: () => Result) {
  return pages.run({ hasRead: false }, work)
}

/** Lets a page that reports an outage show what is in memory. */
export function asPageFromMemory<Result>(work: () => Result) {
  return pages.run({ hasRead: true }, work)
}

function setVersion(version: string) {
  if (version === known) return
  known = version
  changes++
  for (const forget of listeners) forget()
}

/** Called with each version that is read, by the request that reads it. */
export function noteConfiguration(version: string) {
  const request = requests.getStore()
  if (request) request.version = version
  const page = pages.getStore()
  if (page) page.hasRead = true
  setVersion(version)
}

const VERSION = '(SELECT version FROM configuration_version WHERE id = 1) AS configuration'

/** Returns the first row of the query, and reads the version in the same statement. */
export async function firstWithConfiguration<Row extends LucidRow>(
  query: ModelQueryBuilderContract<LucidModel, Row>
): Promise<Row | null> {
  const row = await query.select(query.client.raw(VERSION)).first()
  if (row) noteConfiguration(row.$extras.configuration)
  return afterLoading(row)
}

/** A server that took over may lack commits. */
onFailover(() => setVersion(''))

type ReadVersion = () => unknown

/** Within `work`, `ensureConfiguration` reads the version at most one time. */
export function asOneRequest<Result>(work: () => Promise<Result>) {
  return requests.run({ version: '' }, work)
}

/** Call it before values in memory decide anything. `read` notes the version. */
export async function ensureConfiguration(read: ReadVersion) {
  if (!requests.getStore()?.version) await read()
}

/** For what a page shows: a version that was read at any time after the request came is enough. */
export async function ensureConfigurationOfPage(read: ReadVersion) {
  if (!pages.getStore()?.hasRead) await ensureConfiguration(read)
}

/**
 * Runs work that uses values in memory before it reads the version. If that is another version, the
 * work is repeated, whether it succeeded or was refused.
 */
export async function underOneConfiguration<Result>(
  read: ReadVersion,
  work: () => Promise<Result>
): Promise<Result> {
  for (;;) {
    await configurationLoading()
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

/** A cache of values by key. A value that does not exist is read again each time. */
export class VersionedCache<Value extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Value>

  constructor({ max }: { max: number }) {
    this.#values = new LRUCache<string, Value>({ max })
    onConfigurationChange(() => this.#values.clear())
  }

  forget(key: string) {
    this.#values.delete(key)
  }

  /**
   * A value that was read during a change is returned and not kept.
   * @param isCurrent returns false for a value that depends on other data that has changed
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
