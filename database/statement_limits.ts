import type { PoolClient, QueryResult } from 'pg'
import { textOf, wrapQuery, type Query, type RunQuery } from './wrap_query.ts'

export type StatementLimits = Record<string, number>

/*
 | A statement that waits or runs for too long is stopped by the server. A connection to
 | Postgres itself gets the limits once. A pooler in transaction mode, such as PgBouncer, hands
 | a connection of the server to another client after each transaction: settings of a session
 | would reach others there, and PgBouncer refuses them at the start of a connection. There the
 | limits are set anew in each transaction, in the round trip of its BEGIN.
 */

/** A pooler makes up the process id that it tells its client. */
interface WithProcessId {
  processID?: number
}

/**
 * Sets the limits for the connection, unless a pooler is in between.
 *
 * @returns whether the connection is to Postgres itself
 */
export async function limitSession(connection: PoolClient, limits: StatementLimits) {
  const { processID } = connection as WithProcessId
  const settings = Object.entries(limits).map(
    ([name, ms]) => `set_config('${name}', '${ms}', false)`
  )
  const columns = ['pg_backend_pid() AS pid', ...settings].join(', ')
  const { rows } = await connection.query(`SELECT ${columns} WHERE pg_backend_pid() = $1`, [
    processID ?? 0,
  ])
  return rows.length > 0
}

const WRITES = /^\s*(?:insert|update|delete|with)\b/i

/** Sets the limits in each transaction; a statement that writes outside of one gets one. */
export function limitTransactions(connection: PoolClient, limits: StatementLimits) {
  const settings = Object.entries(limits).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
  wrapQuery(connection, (run) => limited(run, settings.join('; ')))
}

function limited(run: RunQuery, settings: string): RunQuery {
  let isInTransaction = false
  const begin = async (text: string) => {
    const results: unknown = await run(`${text.replace(/;\s*$/, '')}; ${settings}`)
    isInTransaction = true
    return (results as QueryResult[])[0]
  }
  return async (query) => {
    const text = textOf(query)
    if (/^begin\b/i.test(text)) return begin(text)
    if (/^(?:commit|rollback)\b(?!\s+to)/i.test(text)) isInTransaction = false
    else if (!isInTransaction && WRITES.test(text)) return inTransaction(query)
    return run(query)
  }

  async function inTransaction(query: Query) {
    await begin('BEGIN')
    try {
      const result = await run(query)
      await run('COMMIT')
      return result
    } catch (error) {
      await run('ROLLBACK').catch(() => {})
      throw error
    } finally {
      isInTransaction = false
    }
  }
}
