import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { onTakeover } from './incarnation.ts'
import { oneAtATime } from './one_at_a_time.ts'
import type { LucidModel, LucidRow, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Clients, keys and the like are held in memory under one random version. The query that tells
 | whether a token is active reads it along, so that a request never rests on an earlier change. A
 | counter would repeat its numbers where a failover loses commits.
 */

/** Their changes renew the version by triggers (`configuration_triggers.ts`). */
export const CONFIGURATION_TABLES = [
  'oauth_clients',
  'client_deletions',
  'signing_keys',
  'groups',
  'settings',
  'external_providers',
]

let known = ''

/** An answer that was under way may bring back an earlier version, so that changes are counted. */
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

/** For what is read without waiting: it is loaded before a request that read its version goes on. */
export function loadWithConfiguration(read: () => Promise<void>) {
  load = read
}

/** Null once what is loaded belongs to the version that was read last. */
export function configurationLoading(): Promise<void> | null {
  return loadedUnder === known || known === '' ? null : loadOnce()
}

/** Stores call it after they have noted a version. Most answers do not wait. */
export function afterLoading<Result>(result: Result): Result | Promise<Result> {
  const loading = configurationLoading()
  return loading ? loading.then(() => result) : result
}

interface CurrentRequest {
  /** Empty until it was read. */
  version: string
}

const requests = new AsyncLocalStorage<CurrentRequest>()

const pages = new AsyncLocalStorage<{ hasRead: boolean }>()

/** Within it `ensureConfigurationOfPage` reads the version only if nothing else has. */
export function asPage<Result>(work: () => Result) {
  return pages.run({ hasRead: false }, work)
}

/** A page that tells of an outage shows what is in memory. */
export function asPageFromMemory<Result>(work: () => Result) {
  return pages.run({ hasRead: true }, work)
}

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
  const page = pages.getStore()
  if (page) page.hasRead = true
  become(version)
}

const VERSION = '(SELECT version FROM configuration_version WHERE id = 1) AS configuration'

/** The first row of a query that reads the version along. */
export async function firstWithConfiguration<Row extends LucidRow>(
  query: ModelQueryBuilderContract<LucidModel, Row>
): Promise<Row | null> {
  const row = await query.select(query.client.raw(VERSION)).first()
  if (row) noteConfiguration(row.$extras.configuration)
  return afterLoading(row)
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

/** For what a page shows, at any time after the request came. */
export async function ensureConfigurationOfPage(read: ReadVersion) {
  if (!pages.getStore()?.hasRead) await ensureConfiguration(read)
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
