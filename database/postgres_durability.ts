import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const COMMIT_WITHOUT_SYNC = `set_config('synchronous_commit', 'off', true)`

/**
 * Returns SQL to append to what a statement returns: its transaction commits without waiting for
 * the disk or a standby. A power cut loses at most the last of these transactions.
 * `sqlite_durability.ts` identifies the statements of SQLite by their text.
 */
export function withoutSync(client: QueryClientContract) {
  return client.dialect.name === 'postgres' ? `, ${COMMIT_WITHOUT_SYNC}` : ''
}
