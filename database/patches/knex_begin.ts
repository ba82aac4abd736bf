import { createRequire } from 'node:module'

// knex 3.3 opens a transaction of SQLite with a plain `BEGIN` and has no option to change that. A
// transaction that reads first and writes later fails with SQLITE_BUSY, without waiting
// (sqlite.org/lang_transaction.html). Patched, it takes the write lock at its begin.

interface KnexTransaction {
  query(connection: unknown, sql: string): Promise<unknown>
}

function begin(this: KnexTransaction, connection: unknown) {
  return this.query(connection, 'BEGIN IMMEDIATE;')
}

const path = 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
const SqliteTransaction = createRequire(import.meta.url)(path)
Object.assign(SqliteTransaction.prototype, { begin })
