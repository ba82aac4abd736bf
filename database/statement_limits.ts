import type { PoolClient, QueryResult } from 'pg'
import { textOf, wrapQuery, type Query, type RunQuery } from './wrap_query.ts'

export type StatementLimits = Record<string, number>

// A direct connection to Postgres gets its limits one time. A pooler hands a connection to another
// client after each transaction, so behind a pooler each BEGIN carries the limits.

/** A pooler invents the process id that it reports to its client. */
interface WithProcessId {
  processID?: number
}

/** @returns whether the connection leads to Postgres without a pooler */
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

/** Adds the limits to each BEGIN. A write outside of a transaction gets its own transaction. */
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
