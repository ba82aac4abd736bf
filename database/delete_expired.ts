import { inBatches } from './batches.ts'
import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * @param table never comes from a request, because it becomes part of the statement
 * @param column holds milliseconds since the epoch
 * @returns the number of deleted rows
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
