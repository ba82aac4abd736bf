import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from './select_rows.ts'

/**
 * The write-ahead log of SQLite keeps deleted data until it is overwritten.
 * @returns whether the log is empty, which a reader may prevent
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
