import type { PoolClient } from 'pg'

type Callback = (error: Error | null, result: unknown) => void
type Query = (...args: unknown[]) => Promise<unknown> | undefined

interface Internals {
  /** The pool of knex destroys a connection that has this mark. */
  __knex__disposed?: unknown
  connection: { stream: { destroy(): void } }
}

/**
 * pg 8.23 (issue 3399 of brianc/node-postgres): after `query_timeout` a connection waits for the
 * old answer, and the next query times out as well. Patched, the connection is destroyed, and the
 * pool opens another one.
 */
export function discardOnTimeout(connection: PoolClient) {
  const query = connection.query.bind(connection) as Query
  const discard = (error: Error | null) => {
    if (error?.message === 'Query read timeout')
      destroy(connection as PoolClient & Internals, error)
  }
  const watched: Query = (...args) => {
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), observed(callback as Callback, discard))
    }
    const answer = query(...args)
    answer?.catch?.(discard)
    return answer
  }
  connection.query = watched as typeof connection.query
}

function destroy(connection: Internals, error: Error) {
  connection.__knex__disposed = error
  connection.connection.stream.destroy()
}

function observed(callback: Callback, discard: (error: Error | null) => void): Callback {
  return (error, result) => {
    discard(error)
    callback(error, result)
  }
}
