import type { ClientConfig } from 'pg'

/* What a backup reads: all tables as they were at one moment. A worker uses it, without the product. */

export interface Column {
  name: string
  type: 'boolean' | 'bytes' | 'text' | 'other'
}

export type Row = Record<string, unknown>

export interface RowQuery {
  table: string
  columns: Column[]
  /** The columns of the order. */
  key: string[]
}

export interface Snapshot {
  /** Empty for a table that is not there. */
  columnsOf: (table: string) => Promise<Column[]>
  /** In batches. Texts are ordered by their bytes, as in every database. */
  rows: (query: RowQuery) => AsyncGenerator<Row[]>
  end: () => Promise<void>
}

export type SnapshotSource =
  { kind: 'sqlite'; file: string } | { kind: 'pg'; connection: ClientConfig }

/** A batch has at most so many rows, and ends with the row that takes it beyond so many bytes. */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 65_536

/** What the texts and pictures of a row take, nearly. */
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

/** The first row of a table with one row. */
export async function firstRow(snapshot: Snapshot, table: string) {
  const columns = await snapshot.columnsOf(table)
  const rows = snapshot.rows({ table, columns, key: ['id'] })
  for await (const [row] of rows) return row
  return null
}
