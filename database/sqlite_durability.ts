import type { Database } from 'better-sqlite3'
import { onWrite } from './sqlite_writes.ts'

const COUNT = /^(INSERT INTO login_attempts|UPDATE audit_floods)\b/

/**
 * Lets counts be committed without a sync of the disk: those of login attempts and of
 * repeated refusals, and those of the rate limiter, which alone opens its transactions at
 * the driver. They survive `kill -9`; a power cut takes at most the last of them. Every
 * other commit is synced.
 *
 * A sync blocks the event loop for the disk, which a commit without it does not
 * (docs/performance.md, “Each trick taken out”).
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

  onWrite(connection, (sql) => enter(COUNT.test(sql) ? 'syncNormal' : 'syncFull'))
  onDriverTransaction(connection, () => enter('syncNormal'))
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
