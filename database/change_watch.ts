import { randomUUID } from 'node:crypto'
import type { PoolClient, QueryResult } from 'pg'

/*
 | Redis vouches for users under a version that the database raises with every update,
 | whoever writes it. So that no process ever serves a user that has changed, each
 | transaction that changed one says so before its commit and once more after it. This
 | happens on the connection itself, below every model and query: no writer can forget it.
 */

export interface ChangeListener {
  /** Before the commit; a failure aborts the transaction. */
  beginChange(userIds: string[], writer: string): Promise<void>
  /** After the commit. */
  endChange(userIds: string[], writer: string): Promise<void>
}

const CHANGES_USERS = /\b(update|delete\s+from)\s+"?users"?|\binto\s+"?revocations"?/i
const NOTED = `SELECT current_setting('gatehouse.changed_users', true) AS users`

type Query = { text: string; values?: unknown[] }
type Callback = (error: Error | null, result?: QueryResult) => void

/** One connection of the pool, and what its present transaction has done. */
class WatchedConnection {
  #query: (query: Query | string) => Promise<QueryResult>
  #listener: () => Promise<ChangeListener>
  #isInTransaction = false
  #hasChanges = false

  constructor(connection: PoolClient, listener: () => Promise<ChangeListener>) {
    this.#query = connection.query.bind(connection) as typeof this.run
    this.#listener = listener
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

  /** A statement on its own gets a transaction, so that there is a moment before its commit. */
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
    const { listener, users } = await this.#beginChange(writer).catch((error) => this.#abort(error))
    const result = await this.#query(query)
    // Unsettled, the announcement lapses by itself, and until then the database is asked.
    await listener.endChange(users, writer).catch(() => {})
    return result
  }

  async #beginChange(writer: string) {
    const { rows } = await this.#query(NOTED)
    const users = [...new Set<string>((rows[0].users ?? '').split(',').filter(Boolean))]
    const listener = await this.#listener()
    await listener.beginChange(users, writer)
    return { listener, users }
  }

  async #abort(error: Error): Promise<never> {
    this.#reset(false)
    await this.#query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Lets every change to a user that this connection commits be announced. */
export function watchChanges(connection: PoolClient, listener: () => Promise<ChangeListener>) {
  const watched = new WatchedConnection(connection, listener)
  const passOn = connection.query.bind(connection) as (...args: unknown[]) => unknown
  const query = (...args: unknown[]) => {
    const callback = args.at(-1)
    if (args.length !== 2 || typeof callback !== 'function') return passOn(...args)
    const done = callback as Callback
    watched.run(args[0] as Query | string).then(
      (result) => done(null, result),
      (error) => done(error)
    )
    return undefined
  }
  connection.query = query as typeof connection.query
}
