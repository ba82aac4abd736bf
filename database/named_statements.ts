import { createHash } from 'node:crypto'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'

/** More texts than the product has. Lists of ids make texts of different lengths. */
const MOST = 500

const names = new Map<string, string>()

type Callback = (error: Error | null, result?: QueryResult) => void
type Run = (query: QueryConfig | string) => Promise<QueryResult>

/** Of a connection that the pool of knex destroys when it is returned. */
interface Disposable {
  __knex__disposed?: unknown
}

/**
 * Names each statement with values, so that Postgres parses and plans it once for a
 * connection instead of at every request (docs/performance.md, “What each step bought”).
 */
export function nameStatements(connection: PoolClient) {
  const run = connection.query.bind(connection) as Run
  const query = (...args: unknown[]) => {
    const callback = args.at(-1)
    if (typeof callback !== 'function') return runNamed(connection, run, args[0] as QueryConfig)
    runNamed(connection, run, args[0] as QueryConfig).then(
      (result) => (callback as Callback)(null, result),
      (error) => (callback as Callback)(error)
    )
    return undefined
  }
  connection.query = query as typeof connection.query
}

async function runNamed(connection: PoolClient, run: Run, query: QueryConfig | string) {
  const name = nameOf(query)
  if (!name) return run(query)
  const isAlone = connection.getTransactionStatus() === 'I'
  try {
    return await run({ ...(query as QueryConfig), name })
  } catch (error) {
    if (!isOutdated(error)) throw error
    ;(connection as Disposable).__knex__disposed = error
    if (!isAlone) throw error
    return run(query)
  }
}

/** A hash of the text: behind a pooler, processes share connections and what is prepared on them. */
function nameOf(query: QueryConfig | string) {
  if (typeof query === 'string' || !query.values?.length) return null
  const known = names.get(query.text)
  if (known || names.size >= MOST) return known ?? null
  const name = createHash('sha256').update(query.text).digest('base64url').slice(0, 22)
  names.set(query.text, name)
  return name
}

/** A migration by a newer process has changed the columns that a statement of `*` returns. */
function isOutdated(error: any) {
  return error.code === '0A000' && /cached plan/.test(error.message)
}
