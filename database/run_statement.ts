import type { Database } from 'better-sqlite3'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/*
 | Runs a statement whose text is complete. The builders of Lucid and knex take longer than SQLite
 | takes to find a row, and leave more garbage than the rest of a request (docs/performance.md).
 */

export type Value = string | number | boolean | null | string[]

interface Statement {
  sql: string
  bindings?: Value[]
}

/** The methods of a knex client that use its pool. */
export interface Connections {
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<unknown>
  query(connection: object, statement: Statement): Promise<unknown>
}

interface KnexClient extends Connections {
  connectionSettings: { filename?: string }
  emit(event: 'query', statement: Statement): boolean
}

/** On SQLite, the response is only the rows. */
interface Answer {
  response: unknown[] | { rows?: unknown[] }
}

/** The only connection in the pool of each database file. */
const opened = new Map<string, Database>()

export function rememberConnection(connection: Database) {
  opened.set(connection.name, connection)
}

/** Runs outside of a transaction. @returns the rows that the statement reads or returns, if any */
export async function runStatement(client: QueryClientContract, statement: Statement) {
  const knex: KnexClient = client.getReadClient().client
  const connection = opened.get(knex.connectionSettings.filename ?? '')
  if (!connection || !isIdle(connection)) return runOnPool(knex, statement)
  /** The pool of knex emits this event for each statement that it runs. */
  knex.emit('query', statement)
  return runSync(connection, statement)
}

/** A statement takes one turn of the event loop: only a transaction keeps the connection longer. */
function isIdle({ open, inTransaction }: Database) {
  return open && !inTransaction
}

function runSync(connection: Database, { sql, bindings = [] }: Statement): unknown[] {
  try {
    const statement = connection.prepare(sql)
    const values = bindings.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    if (statement.reader) return statement.all(values)
    statement.run(values)
    return []
  } catch (error) {
    error.message = `${sql} - ${error.message}`
    throw error
  }
}

async function runOnPool(client: Connections, statement: Statement): Promise<unknown[]> {
  const { response } = (await queryPool(client, statement)) as Answer
  return Array.isArray(response) ? response : (response.rows ?? [])
}

export async function queryPool(client: Connections, statement: Statement) {
  const connection = await client.acquireConnection()
  return client.query(connection, statement).finally(() => client.releaseConnection(connection))
}
