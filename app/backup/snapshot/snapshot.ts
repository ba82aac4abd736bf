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

export const BATCH_SIZE = 500

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
