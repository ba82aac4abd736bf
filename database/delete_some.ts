import { BATCH_SIZE, inBatches } from './batches.ts'
import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Value } from './run_statement.ts'

export interface Rows {
  table: string
  /** A condition with a `?` for each of `values`. */
  where: string
  values: Value[]
}

/**
 * Deletes in batches: one statement for many rows would stop every request on SQLite, and exceed
 * the time limit of a statement on Postgres.
 * @returns the number of deleted rows
 */
export function deleteAll(client: QueryClientContract, rows: Rows, batchSize = BATCH_SIZE) {
  return inBatches((size) => deleteSome(client, rows, size), batchSize)
}

/**
 * @param rows `table` and `where` never come from a request: they become part of the statement
 * @returns the number of deleted rows
 */
export async function deleteSome(
  client: QueryClientContract,
  { table, where, values }: Rows,
  size: number
) {
  const isPostgres = client.dialect.name === 'postgres'
  const row = isPostgres ? 'ctid' : 'rowid'
  const some = `${row} IN (SELECT ${row} FROM ${table} WHERE ${where} LIMIT ?)`
  // Postgres checks the condition again, because another transaction may have changed a row. SQLite
  // has one writer, and would look for all rows of the condition by a separate index.
  const [condition, bindings] = isPostgres
    ? [`${some} AND ${where}`, [...values, size, ...values]]
    : [some, [...values, size]]
  const sql = `DELETE FROM ${table} WHERE ${condition} RETURNING 1`
  const deleted = await selectRows(client, sql, bindings)
  return deleted.length
}
