import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Value } from './run_statement.ts'

export interface Rows {
  table: string
  /** With a `?` for each of `values`. */
  where: string
  values: Value[]
}

/**
 * One statement for all of many rows would stop every request on SQLite, and exceed the limit of a
 * statement on Postgres. Call it `inBatches`.
 * @param rows never have a text of a request in `table` or `where`, which become part of the statement
 * @returns the number of deleted rows
 */
export async function deleteSome(
  client: QueryClientContract,
  { table, where, values }: Rows,
  size: number
) {
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  // Postgres asks the condition again of a row that was changed meanwhile.
  const deleted = await selectRows(
    client,
    `DELETE FROM ${table} WHERE ${where} AND ${row} IN
      (SELECT ${row} FROM ${table} WHERE ${where} LIMIT ?) RETURNING 1`,
    [...values, ...values, size]
  )
  return deleted.length
}
