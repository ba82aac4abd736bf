import { randomUUID } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'
import { CONFIGURATION_TABLES } from './configuration_version.ts'

/** What a transaction changed, as recorded by triggers. */
export interface Changed {
  userIds: string[]
  hasConfiguration: boolean
}

export interface ChangeListener {
  /** Sends `unsent` and the changes before the commit. An error rolls the transaction back. */
  beginChange(changed: Changed, writer: string, unsent: object | null): Promise<unknown>
  endChange(changed: Changed, writer: string): Promise<unknown>
}

const CHANGES_USERS = /\b(update|delete\s+from)\s+"?users"?|\binto\s+"?revocations"?/i

const TABLES = CONFIGURATION_TABLES.join('|')

/** A reservation (`tokens_until`) changes nothing that processes hold in memory. */
const CHANGES_CONFIGURATION = new RegExp(
  String.raw`\b(update|delete\s+from|into)\s+"?(${TABLES})\b"?(?!\s+set\s+"?tokens_until)`,
  'i'
)

function changes(text: string) {
  return CHANGES_USERS.test(text) || CHANGES_CONFIGURATION.test(text)
}

const CHANGED = `SELECT current_setting('gatehouse.changed_users', true) AS users,
  current_setting('gatehouse.changed_configuration', true) AS configuration`

const NOTHING: Changed = { userIds: [], hasConfiguration: false }

interface Ending {
  hasChanges: boolean
  unsent: object | null
}

export type Query = { text: string; values?: unknown[] }

export class WatchedConnection {
  #query: (query: Query | string) => Promise<QueryResult>
  #listener: ChangeListener
  #isInTransaction = false
  #hasChanges = false
  #unsent: object | null = null

  constructor(connection: PoolClient, heard: ChangeListener) {
    this.#query = connection.query.bind(connection) as typeof this.run
    this.#listener = heard
  }

  run = async (query: Query | string): Promise<QueryResult> => {
    const text = typeof query === 'string' ? query : query.text
    if (/^begin\b/i.test(text)) this.#reset(true)
    else if (/^commit\b/i.test(text)) return this.#commit(query)
    else if (/^rollback\b(?!\s+to)/i.test(text)) this.#reset(false)
    else if (changes(text)) return this.#change(query)
    return this.#query(query)
  }

  /** A rollback discards `unsent`. */
  sendBeforeCommit(unsent: object) {
    this.#unsent = unsent
  }

  #reset(isInTransaction: boolean) {
    this.#isInTransaction = isInTransaction
    this.#hasChanges = false
    this.#unsent = null
  }

  /** Opens a transaction for a statement without one: changes are sent before the commit. */
  async #change(query: Query | string) {
    this.#hasChanges = true
    if (this.#isInTransaction) return this.#query(query)
    await this.#query('BEGIN')
    const result = await this.#query(query).catch((error) => this.#abort(error))
    await this.#commit('COMMIT')
    return result
  }

  async #commit(query: Query | string) {
    const [hasChanges, unsent] = [this.#hasChanges, this.#unsent]
    this.#reset(false)
    if (!hasChanges && !unsent) return this.#query(query)
    const writer = randomUUID()
    const changed = await this.#beginChange(writer, { hasChanges, unsent }).catch((error) =>
      this.#abort(error)
    )
    const result = await this.#query(query)
    // Without this call, the change expires by itself; until then, requests ask the database.
    await this.#listener.endChange(changed, writer).catch(() => {})
    return result
  }

  async #beginChange(writer: string, { hasChanges, unsent }: Ending) {
    const changed = hasChanges ? await this.#readChanged() : NOTHING
    await this.#listener.beginChange(changed, writer, unsent)
    return changed
  }

  async #readChanged(): Promise<Changed> {
    const { rows } = await this.#query(CHANGED)
    const userIds = [...new Set<string>((rows[0].users ?? '').split(',').filter(Boolean))]
    return { userIds, hasConfiguration: rows[0].configuration === 'yes' }
  }

  async #abort(error: Error): Promise<never> {
    this.#reset(false)
    await this.#query('ROLLBACK').catch(() => {})
    throw error
  }
}
