import pg from 'pg'
import {
  BATCH_BYTES,
  BATCH_ROWS,
  bytesOf,
  type Column,
  type Row,
  type RowQuery,
  type Snapshot,
} from './snapshot.ts'

/** Opens one transaction, in which each statement sees the moment of the first one. */
export async function openPostgres(connection: pg.ClientConfig): Promise<Snapshot> {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const client = new pg.Client(connection)
  // If the server goes away, the next query fails and reports it.
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query('SET LOCAL statement_timeout = 0')
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
  return {
    columnsOf: (table) => columnsOf(client, table),
    rows: (query) => rows(client, query),
    end: () => client.end(),
  }
}

const TYPES: Record<string, Column['type']> = {
  'boolean': 'boolean',
  'bytea': 'bytes',
  'character varying': 'text',
  'text': 'text',
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const sql = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = $1`
  const found = await client.query<{ name: string; type: string }>(sql, [table])
  return found.rows.map(({ name, type }) => ({ name, type: TYPES[type] ?? 'other' }))
}

async function* rows(client: pg.Client, { table, columns, key }: RowQuery) {
  const names = columns.map(({ name }) => `"${name}"`)
  const order = key.map((name) => orderOf(columns.find((column) => column.name === name)!))
  const sql = `SELECT ${names.join(', ')} FROM "${table}" ORDER BY ${order.join(', ')}`
  await client.query(`DECLARE backup NO SCROLL CURSOR FOR ${sql}`)
  try {
    yield* fetchAll(client)
  } finally {
    // A failed query has already closed the cursor together with its transaction.
    await client.query('CLOSE backup').catch(() => {})
  }
}

async function* fetchAll(client: pg.Client) {
  for (let count = FIRST_ROWS; ;) {
    const { rows: batch } = await client.query<Row>(`FETCH ${count} FROM backup`)
    if (batch.length > 0) yield batch
    if (batch.length < count) return
    count = nextCount(batch)
  }
}

/** The size of the first rows is not known. */
const FIRST_ROWS = 8

/** The server counts rows, not bytes: the next rows may be as large as the largest one here. */
function nextCount(batch: Row[]) {
  const largest = Math.max(...batch.map(bytesOf), 1)
  const fitting = Math.ceil(BATCH_BYTES / largest)
  return Math.min(fitting, batch.length * 2, BATCH_ROWS)
}

/** Another collation would order texts by the rules of a language. */
function orderOf({ name, type }: Column) {
  return type === 'text' ? `"${name}" COLLATE "C"` : `"${name}"`
}
