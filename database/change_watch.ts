import { WatchedConnection, type Query, type UserChangeListener } from './watched_connection.ts'
import type { PoolClient, QueryResult } from 'pg'

/*
 | A cache of users beside the database has to know of every change. Each transaction that
 | changed a user tells a listener so before its commit and once more after it. The watch
 | sits on the connection, below every model and query, so that no writer can forget it. The
 | triggers of `0007_create_revocations.ts` collect the ids of the changed users.
 */

let listener: UserChangeListener | null = null

/** Names the one listener that hears of changes to users; before the first connection opens. */
export function onUserChange(given: UserChangeListener) {
  listener = given
}

type Callback = (error: Error | null, result?: QueryResult) => void

/** Tells the listener, where there is one, of each change to a user that this connection commits. */
export function watchUserChanges(connection: PoolClient) {
  if (!listener) return
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
