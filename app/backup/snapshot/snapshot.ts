import type { ClientConfig } from 'pg'

/* A snapshot shows all tables at one moment. A worker uses it without loading the product. */

export interface Column {
  name: string
  type: 'boolean' | 'bytes' | 'text' | 'other'
}

export type Row = Record<string, unknown>

export interface RowQuery {
  table: string
  columns: Column[]
  /** The columns by which rows are ordered. */
  key: string[]
}

export interface Snapshot {
  /** Returns no columns for a table that does not exist. */
  columnsOf: (table: string) => Promise<Column[]>
  /** Returns rows in batches. Texts are ordered by their bytes, in every database. */
  rows: (query: RowQuery) => AsyncGenerator<Row[]>
  end: () => Promise<void>
}

export type SnapshotSource =
  { kind: 'sqlite'; file: string } | { kind: 'pg'; connection: ClientConfig }

/** A batch contains at most this many rows, and ends with the row that reaches this many bytes. */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 65_536

/** Returns the approximate size of a row, from its texts and pictures. */
export function bytesOf(row: Row) {
  let bytes = 0
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}

export async function openSnapshot(source: SnapshotSource): Promise<Snapshot> {
  if (source.kind === 'sqlite') {
    const { openSqlite } = await import('./sqlite_snapshot.ts')
    return openSqlite(source.file)
  }
  const { openPostgres } = await import('./postgres_snapshot.ts')
  return openPostgres(source.connection)
}

/** Returns the first row of a table with one row, or null. */
export async function firstRow(snapshot: Snapshot, table: string) {
  const columns = await snapshot.columnsOf(table)
  const rows = snapshot.rows({ table, columns, key: ['id'] })
  for await (const [row] of rows) return row
  return null
}
