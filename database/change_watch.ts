import { WatchedConnection, type Query, type ChangeListener } from './watched_connection.ts'
import type { PoolClient, QueryResult } from 'pg'
import type { Connections } from './run_statement.ts'
import type { Transaction } from './transaction.ts'

// Redis is told of each change of users and configuration, before and after the commit. The watch
// wraps the connection, so that no writer can forget it. Triggers record what was changed.

let listener: ChangeListener | null = null

/** Call it before the first connection opens. */
export function onChange(given: ChangeListener) {
  listener = given
}

const watchedConnections = new WeakMap<object, WatchedConnection>()

/** The listener gets `unsent`, to which the transaction may still add. Do not pass a savepoint. */
export async function sendBeforeCommit(unsent: object, trx: Transaction) {
  const client = trx.knexClient.client as Connections
  const watched = watchedConnections.get(await client.acquireConnection())
  if (!watched) throw new Error('The connection of this transaction is not watched (docs/store.md)')
  watched.sendBeforeCommit(unsent)
}

type Callback = (error: Error | null, result?: QueryResult) => void

export function watchChanges(connection: PoolClient) {
  if (!listener) return
  const watched = new WatchedConnection(connection, listener)
  watchedConnections.set(connection, watched)
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
