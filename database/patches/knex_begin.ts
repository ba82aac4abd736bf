import { createRequire } from 'node:module'

/*
 | knex 3.3 opens every transaction of SQLite with a plain `BEGIN` and has no option for
 | another mode. A deferred transaction that reads first and writes later fails at once with
 | SQLITE_BUSY when another process has written in between, and `busy_timeout` does not
 | apply (sqlite.org/lang_transaction.html). Patched, a transaction takes the write lock at
 | its begin and waits for it.
 */

interface KnexTransaction {
  query(connection: unknown, sql: string): Promise<unknown>
}

function begin(this: KnexTransaction, connection: unknown) {
  return this.query(connection, 'BEGIN IMMEDIATE;')
}

const path = 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
const SqliteTransaction = createRequire(import.meta.url)(path)
Object.assign(SqliteTransaction.prototype, { begin })
