import type { PoolClient, QueryConfig, QueryResult } from 'pg'

export type Query = QueryConfig | string
export type RunQuery = (query: Query) => Promise<QueryResult>

type Callback = (error: Error | null, result?: QueryResult) => void

/** Callers may pass a callback, as knex does, or take the promise. */
export function wrapQuery(connection: PoolClient, wrap: (run: RunQuery) => RunQuery) {
  const run = wrap(connection.query.bind(connection) as RunQuery)
  const query = (...args: unknown[]) => {
    const callback = args.at(-1)
    if (typeof callback !== 'function') return run(args[0] as Query)
    const done = callback as Callback
    run(args[0] as Query).then(
      (result) => done(null, result),
      (error) => done(error)
    )
    return undefined
  }
  connection.query = query as typeof connection.query
}

export function textOf(query: Query) {
  return typeof query === 'string' ? query : query.text
}
