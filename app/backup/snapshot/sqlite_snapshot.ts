import Sqlite, { type Database } from 'better-sqlite3'
import {
  BATCH_BYTES,
  BATCH_ROWS,
  bytesOf,
  type Column,
  type Row,
  type RowQuery,
  type Snapshot,
} from './snapshot.ts'

/** Opens a read transaction on its own connection: the write-ahead log lets writers continue. */
export function openSqlite(file: string): Snapshot {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  // Each page is read once, so the library's cache of 16 MB would hold pages that are not reused.
  database.pragma('cache_size = -2000')
  database.exec('BEGIN')
  // The first read fixes the moment of the snapshot.
  database.prepare('SELECT count(*) FROM sqlite_master').get()
  return {
    columnsOf: async (table) => columnsOf(database, table),
    rows: (query) => rows(database, query),
    end: async () => void database.close(),
  }
}

function columnsOf(database: Database, table: string): Column[] {
  const columns = database.pragma(`table_info(${table})`) as { name: string; type: string }[]
  return columns.map(({ name, type }) => ({ name, type: typeOf(type.toLowerCase()) }))
}

function typeOf(declared: string): Column['type'] {
  if (declared === 'boolean') return 'boolean'
  if (declared === 'blob') return 'bytes'
  return /char|text|uuid/.test(declared) ? 'text' : 'other'
}

async function* rows(database: Database, { table, columns, key }: RowQuery) {
  const names = columns.map(({ name }) => `"${name}"`)
  const sql = `SELECT ${names.join(', ')} FROM "${table}" ORDER BY ${key.join(', ')}`
  let [batch, bytes]: [Row[], number] = [[], 0]
  for (const row of database.prepare(sql).iterate() as IterableIterator<Row>) {
    batch.push(row)
    bytes += bytesOf(row)
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  if (batch.length > 0) yield batch
}
