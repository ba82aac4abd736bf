import { inBatches } from './batches.ts'
import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * Deletes the rows of a table whose time has come, in batches, and returns their number.
 *
 * @param table a name of the code, never one of a request
 * @param column milliseconds since the epoch
 */
export function deleteExpired(
  client: QueryClientContract,
  { table, column = 'expires_at' }: { table: string; column?: string },
  now: number
) {
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  // Postgres asks the condition again of a row that was changed meanwhile.
  const sql = `DELETE FROM ${table} WHERE ${column} <= :now AND ${row} IN
    (SELECT ${row} FROM ${table} WHERE ${column} <= :now LIMIT :size) RETURNING 1`
  return inBatches(async (size) => {
    const deleted = await selectRows(client, sql, { now, size })
    return deleted.length
  })
}
