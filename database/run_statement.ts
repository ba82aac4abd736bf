import type { Database } from 'better-sqlite3'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/*
 | A statement whose text is complete. The builders of Lucid and knex take longer than SQLite takes
 | to find a row, and leave more garbage than the rest of its request (docs/performance.md).
 */

export type Value = string | number | boolean | null | string[]

interface Statement {
  sql: string
  bindings?: Value[]
}

/** What a client of knex does with its pool. */
export interface Connections {
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<unknown>
  query(connection: object, statement: Statement): Promise<unknown>
}

interface KnexClient extends Connections {
  connectionSettings: { filename?: string }
  emit(event: 'query', statement: Statement): boolean
}

/** The rows alone on SQLite. */
interface Answer {
  response: unknown[] | { rows?: unknown[] }
}

/** The one connection that the pool of a file has. */
const opened = new Map<string, Database>()

export function rememberConnection(connection: Database) {
  opened.set(connection.name, connection)
}

/** Outside of a transaction. @returns rows that the statement reads or returns, if it does */
export async function runStatement(client: QueryClientContract, statement: Statement) {
  const knex: KnexClient = client.getReadClient().client
  const connection = opened.get(knex.connectionSettings.filename ?? '')
  if (!connection || !isIdle(connection)) return runOnPool(knex, statement)
  /** knex tells its listeners of each statement that the pool runs. */
  knex.emit('query', statement)
  return runAtOnce(connection, statement)
}

/** SQLite runs within one turn of the event loop: only a transaction keeps the connection longer. */
function isIdle({ open, inTransaction }: Database) {
  return open && !inTransaction
}

function runAtOnce(connection: Database, { sql, bindings = [] }: Statement): unknown[] {
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
