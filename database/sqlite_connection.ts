import type { Database } from 'better-sqlite3'

let writes = 0

/**
 * Grows with each statement of this process that may change the database, and before it
 * runs: while it stays, nothing read from the embedded database was outdated by ourselves.
 */
export function writesBegun() {
  return writes
}

const COUNTS = /^INSERT INTO login_attempts\b/

/**
 * Prepares an embedded connection.
 *
 * - WAL: readers never wait for the writer, and `kill -9` loses nothing committed.
 * - `synchronous=FULL`: a commit survives a power cut too, at one fsync each. Counts of
 *   attempts and of the limiter, which alone opens its transactions at the driver, need
 *   not: they survive `kill -9`, and a power cut takes at most the last of them.
 * - `BEGIN IMMEDIATE`: a transaction that reads first and writes later would fail at
 *   once when another process wrote in between; asking for the lock first waits instead.
 * - `busy_timeout`: another process that writes is waited for, but not for long, because
 *   the wait stops this process as a whole.
 * - Statements are compiled once: knex compiles each anew, which costs more than running it.
 */
export function prepareSqlite(
  connection: Database,
  done: (error: unknown, connection: Database) => void
) {
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('busy_timeout = 500')
  const compile = connection.prepare.bind(connection)
  const modes = {
    syncFull: compile('PRAGMA synchronous = FULL'),
    syncNormal: compile('PRAGMA synchronous = NORMAL'),
  }
  let mode: keyof typeof modes = 'syncFull'
  const enter = (due: keyof typeof modes) => {
    if (due !== mode && !connection.inTransaction) modes[(mode = due)].run()
  }
  const compiled = new Map<string, ReturnType<typeof compile>>()
  connection.prepare = ((sql: string) => {
    const statement = compiled.get(sql) ?? compile(sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql)
    if (compiled.size < 500) compiled.set(sql, statement)
    if (statement.readonly && sql !== 'COMMIT;') return statement
    writes++
    enter(COUNTS.test(sql) ? 'syncNormal' : 'syncFull')
    return statement
  }) as typeof connection.prepare
  const open = connection.transaction.bind(connection)
  connection.transaction = ((count: () => unknown) => {
    const counting = open(count)
    return () => {
      enter('syncNormal')
      return counting()
    }
  }) as typeof connection.transaction
  done(null, connection)
}
