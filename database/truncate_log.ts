import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from './select_rows.ts'

/**
 * Empties the write-ahead log of SQLite, which keeps what was deleted until it is written
 * over. Returns whether it is empty; a reader may keep it from being emptied. Postgres
 * has its own log and vacuum.
 */
export async function truncateLog(client: QueryClientContract) {
  if (client.dialect.name === 'postgres') return true
  const [{ busy }] = await selectRows<{ busy: number }>(
    client,
    'PRAGMA wal_checkpoint(TRUNCATE)',
    []
  )
  return busy === 0
}
