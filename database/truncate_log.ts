import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from './select_rows.ts'

/**
 * The write-ahead log of SQLite keeps what was deleted until it is written over.
 * @returns whether it is empty: a reader may prevent that
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
