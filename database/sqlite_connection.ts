import type { Database } from 'better-sqlite3'
import { reuseStatements } from './patches/knex_statements.ts'
import { rememberConnection } from './run_statement.ts'
import { deferSyncs } from './sqlite_durability.ts'

/**
 * WAL spares readers the wait for the writer; `synchronous=FULL` lets a commit survive a power cut.
 * `busy_timeout` is short, because the wait for another process blocks the event loop.
 * `secure_delete` overwrites deleted data, so that the file contains nothing of a deleted user.
 * `temp_store` is the memory, because a hardened container has no folder for temporary files.
 * `cache_size` is in KiB; the system also caches pages of the file.
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
  connection.pragma('cache_size = -4000')
  reuseStatements(connection)
  deferSyncs(connection)
  rememberConnection(connection)
  done(null, connection)
}
