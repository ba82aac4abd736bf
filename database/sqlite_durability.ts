import type { Database } from 'better-sqlite3'
import { bootId } from './boot_id.ts'
import { onWrite } from './sqlite_writes.ts'

const COUNT = /^(INSERT INTO login_attempts|UPDATE audit_floods)\b/

/** A code is valid in only one run of the machine (`app/oidc/records/code_rows.ts`). */
const CODE = /^(INSERT INTO|UPDATE) oauth_records\b[^]*'AuthorizationCode'/

/** A delivery without its outcome is sent again, and a lease ends with its machine. */
const DELIVERY =
  /^(INSERT INTO webhook_lanes|DELETE FROM webhook_lanes|UPDATE webhook_deliveries SET status = o\.)/

type SyncMode = 'FULL' | 'NORMAL'

let isMigrating = false

/**
 * A new database runs all migrations, each with its own commit. A migration that a power cut undoes
 * runs again at the next start; the first commit after the migrations also syncs them.
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
 * A sync blocks the event loop until the disk has written (docs/performance.md). Counts of
 * attempts, refusals and limits, codes of a stored grant, and outcomes of deliveries are committed
 * without a sync. A power cut loses at most the last of them.
 */
export function deferSyncs(connection: Database) {
  let mode: SyncMode = 'FULL'

  /** Not prepared, because SQLite applies this setting at its compilation, not at its first run. */
  function enter(next: SyncMode) {
    if (next === mode || connection.inTransaction) return
    mode = next
    connection.exec(`PRAGMA synchronous = ${mode}`)
  }

  onWrite(connection, (sql) => enter(mayBeLost(sql) ? 'NORMAL' : 'FULL'))
  onDriverTransaction(connection, () => enter('NORMAL'))
}

function mayBeLost(sql: string) {
  if (isMigrating || COUNT.test(sql) || DELIVERY.test(sql)) return true
  return bootId !== null && CODE.test(sql)
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
