import type { Database } from 'better-sqlite3'
import { bootId } from './boot_id.ts'
import { onWrite } from './sqlite_writes.ts'

const COUNT = /^(INSERT INTO login_attempts|UPDATE audit_floods)\b/

/** A code holds in one run of the machine (`app/oidc/records/code_rows.ts`). */
const CODE = /^(INSERT INTO|UPDATE) oauth_records\b[^]*'AuthorizationCode'/

/**
 * A sync blocks the event loop for the disk, so counts of attempts, refusals and limits, and codes
 * of a grant that is stored, are committed without one (docs/performance.md). A power cut takes at
 * most the last of them.
 */
export function deferSyncOfCounts(connection: Database) {
  const modes = {
    syncFull: connection.prepare('PRAGMA synchronous = FULL'),
    syncNormal: connection.prepare('PRAGMA synchronous = NORMAL'),
  }
  let mode: keyof typeof modes = 'syncFull'

  function enter(next: keyof typeof modes) {
    if (next === mode || connection.inTransaction) return
    mode = next
    modes[mode].run()
  }

  onWrite(connection, (sql) => enter(mayBeLost(sql) ? 'syncNormal' : 'syncFull'))
  onDriverTransaction(connection, () => enter('syncNormal'))
}

function mayBeLost(sql: string) {
  return COUNT.test(sql) || (bootId !== null && CODE.test(sql))
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
