import { randomUUID } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'

export interface UserChangeListener {
  beginChange(userIds: string[], writer: string): Promise<unknown>
  endChange(userIds: string[], writer: string): Promise<unknown>
}

const CHANGES_USERS = /\b(update|delete\s+from)\s+"?users"?|\binto\s+"?revocations"?/i

const CHANGED_USERS = `SELECT current_setting('gatehouse.changed_users', true) AS users`

export type Query = { text: string; values?: unknown[] }

export class WatchedConnection {
  #query: (query: Query | string) => Promise<QueryResult>
  #listener: UserChangeListener
  #isInTransaction = false
  #hasChanges = false

  constructor(connection: PoolClient, heard: UserChangeListener) {
    this.#query = connection.query.bind(connection) as typeof this.run
    this.#listener = heard
  }

  run = async (query: Query | string): Promise<QueryResult> => {
    const text = typeof query === 'string' ? query : query.text
    if (/^begin\b/i.test(text)) this.#reset(true)
    else if (/^commit\b/i.test(text)) return this.#commit(query)
    else if (/^rollback\b(?!\s+to)/i.test(text)) this.#reset(false)
    else if (CHANGES_USERS.test(text)) return this.#change(query)
    return this.#query(query)
  }

  #reset(isInTransaction: boolean) {
    this.#isInTransaction = isInTransaction
    this.#hasChanges = false
  }

  /** A statement outside of a transaction gets one, so that there is a moment before its commit. */
  async #change(query: Query | string) {
    this.#hasChanges = true
    if (this.#isInTransaction) return this.#query(query)
    await this.#query('BEGIN')
    const result = await this.#query(query).catch((error) => this.#abort(error))
    await this.#commit('COMMIT')
    return result
  }

  async #commit(query: Query | string) {
    const hasChanges = this.#hasChanges
    this.#reset(false)
    if (!hasChanges) return this.#query(query)
    const writer = randomUUID()
    const users = await this.#beginChange(writer).catch((error) => this.#abort(error))
    const result = await this.#query(query)
    // A change without an end lapses by itself; until then the database is asked for its users.
    await this.#listener.endChange(users, writer).catch(() => {})
    return result
  }

  async #beginChange(writer: string) {
    const { rows } = await this.#query(CHANGED_USERS)
    const users = [...new Set<string>((rows[0].users ?? '').split(',').filter(Boolean))]
    await this.#listener.beginChange(users, writer)
    return users
  }

  async #abort(error: Error): Promise<never> {
    this.#reset(false)
    await this.#query('ROLLBACK').catch(() => {})
    throw error
  }
}
