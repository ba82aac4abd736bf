import type { Database } from 'better-sqlite3'
import { reuseStatements } from './patches/knex_statements.ts'
import { deferSyncOfCounts } from './sqlite_durability.ts'

/**
 * Prepares a connection of the embedded database.
 *
 * - WAL: readers never wait for the writer, and a commit survives `kill -9`.
 * - `synchronous=FULL`: a commit survives a power cut too, at one fsync each.
 * - `busy_timeout`: a statement waits for another process that writes, but not for long,
 *   because the wait blocks the event loop.
 * - `secure_delete`: what is deleted is overwritten with zeros, so that the file holds
 *   nothing of a user who is gone.
 * - `temp_store`: large statements need scratch space, and a hardened container has no folder
 *   for temporary files.
 */
export function prepareSqlite(
  connection: Database,
  done: (error: unknown, connection: Database) => void
) {
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('busy_timeout = 500')
  connection.pragma('secure_delete = ON')
  connection.pragma('temp_store = MEMORY')
  reuseStatements(connection)
  deferSyncOfCounts(connection)
  done(null, connection)
}
