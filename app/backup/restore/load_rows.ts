import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { UnusableBackup } from '#backup/errors'
import { TABLES } from '#backup/tables'
import type { Row } from '#backup/archive/entry_rows'

type Load = (rows: Row[]) => Promise<void>

interface LoadedColumn {
  name: string
  isBytes: boolean
}

/** Fills tables by one statement for each batch; the database reads the values from JSON. */
export class Loader {
  #loads = new Map<string, Load>()

  /** @param isOlder whether the tables are of an earlier version, which may have other columns */
  constructor(
    readonly client: QueryClientContract,
    readonly isOlder = false
  ) {}

  async load(table: string, rows: Row[]) {
    if (!this.#loads.has(table)) this.#loads.set(table, await this.#loadOf(table, rows[0]))
    const load = this.#loads.get(table)!
    await load(rows).catch((error) => explain(error, table))
  }

  /** All rows of a table have the columns of the first one; other columns keep their default. */
  async #loadOf(table: string, first: Row): Promise<Load> {
    const known = await this.#columnsOf(table)
    const columns = known.filter(({ name }) => name in first)
    const names = new Set(columns.map(({ name }) => name))
    const prefix = this.#isPostgres ? '\\x' : ''
    const bytes = columns.filter(({ isBytes }) => isBytes)
    const sql = this.#isPostgres ? onPostgres(table, columns) : onSqlite(table, columns)
    return async (rows) => {
      for (const row of rows) {
        assertKnown(row, names, table)
        encodeBytes(row, bytes, prefix)
      }
      await this.client.rawQuery(sql, [JSON.stringify(rows)])
    }
  }

  get #isPostgres() {
    return this.client.dialect.name === 'postgres'
  }

  async #columnsOf(table: string): Promise<LoadedColumn[]> {
    const known = TABLES[table]
    if (!known?.isKept && !this.isOlder) throw new UnusableBackup(`No table is called ${table}.`)
    const without = known?.isKept && !this.isOlder ? known.without : []
    const columns = Object.entries(await this.client.knexQuery().from(table).columnInfo())
    const loaded = columns.filter(([name]) => !without.includes(name))
    return loaded.map(([name, { type }]) => ({ name, isBytes: /^(bytea|blob)$/i.test(type) }))
  }
}

function onPostgres(table: string, columns: LoadedColumn[]) {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  return `INSERT INTO "${table}" (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::"${table}", CAST(? AS json))`
}

function onSqlite(table: string, columns: LoadedColumn[]) {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const values = columns.map(({ name, isBytes }) => {
    const value = `value ->> '${name}'`
    return isBytes ? `unhex(${value})` : value
  })
  return `INSERT INTO "${table}" (${names}) SELECT ${values.join(', ')} FROM json_each(?)`
}

function assertKnown(row: Row, names: Set<string>, table: string) {
  const unknown = Object.keys(row).find((name) => !names.has(name))
  if (unknown) throw new UnusableBackup(`Rows of ${table} have a column that no version has.`)
}

/** Both databases read bytes from hexadecimal digits. */
function encodeBytes(row: Row, bytes: LoadedColumn[], prefix: string) {
  for (const { name } of bytes) {
    const value = row[name]
    if (typeof value === 'string') row[name] = prefix + Buffer.from(value, 'base64').toString('hex')
  }
}

/** Errors of constraints and types, from rows that no installation wrote. */
const CONTRADICTION = /^(SQLITE_(CONSTRAINT|MISMATCH)|2[23]\w{3}$)/

export function explain(error: any, table: string): never {
  if (!CONTRADICTION.test(error.code)) throw error
  throw new UnusableBackup(`The rows of ${table} contradict each other or the other tables.`)
}
