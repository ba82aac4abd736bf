import type { Database } from 'better-sqlite3'
import { bootId } from './boot_id.ts'
import { onWrite } from './sqlite_writes.ts'

const COUNT = /^(INSERT INTO login_attempts|UPDATE audit_floods)\b/

/** A code holds in one run of the machine (`app/oidc/records/code_rows.ts`). */
const CODE = /^(INSERT INTO|UPDATE) oauth_records\b[^]*'AuthorizationCode'/

type SyncMode = 'FULL' | 'NORMAL'

let isMigrating = false

/**
 * A new database runs all migrations, each with a commit of its own. One that a power cut takes
 * runs again at the next start; the first commit after them syncs them as well.
 */
export async function deferSyncOfMigrations<T>(migrate: () => Promise<T>) {
  isMigrating = true
  try {
    return await migrate()
  } finally {
    isMigrating = false
  }
}

/**
 * A sync blocks the event loop for the disk (docs/performance.md). Counts of attempts, refusals and
 * limits, and codes of a stored grant, are committed without one. A power cut takes at most the last
 * of them.
 */
export function deferSyncOfCounts(connection: Database) {
  let mode: SyncMode = 'FULL'

  /** Not prepared: SQLite applies this setting when it compiles it, and not at the first run. */
  function enter(next: SyncMode) {
    if (next === mode || connection.inTransaction) return
    mode = next
    connection.exec(`PRAGMA synchronous = ${mode}`)
  }

  onWrite(connection, (sql) => enter(mayBeLost(sql) ? 'NORMAL' : 'FULL'))
  onDriverTransaction(connection, () => enter('NORMAL'))
}

function mayBeLost(sql: string) {
  return isMigrating || COUNT.test(sql) || (bootId !== null && CODE.test(sql))
}

function onDriverTransaction(connection: Database, listener: () => void) {
  const open = connection.transaction.bind(connection)
  connection.transaction = ((task: () => unknown) => {
    const transaction = open(task)
    return () => {
      listener()
      return transaction()
    }
  }) as typeof connection.transaction
}
