import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const COMMIT_WITHOUT_SYNC = `set_config('synchronous_commit', 'off', true)`

/**
 * Appended to what a statement returns: the transaction that it is in commits without waiting for
 * the disk or a standby. A power cut takes at most the last of them. `sqlite_durability.ts` knows
 * the statements of SQLite by their text.
 */
export function withoutSync(client: QueryClientContract) {
  return client.dialect.name === 'postgres' ? `, ${COMMIT_WITHOUT_SYNC}` : ''
}
