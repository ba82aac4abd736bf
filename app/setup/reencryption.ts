import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { drivers } from '@adonisjs/core/encryption'
import encryption from '@adonisjs/core/services/encryption'
import env from '#start/env'
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted_columns.ts'

const BATCH_SIZE = 500

const ENCRYPTERS = { APP_KEY: 'app', MFA_ENCRYPTION_KEYS: 'mfa' } as const

export interface ReencryptedColumn {
  content: string
  keyring: string
  changed: number
  /** Number of values that no entry decrypts: they were lost before. */
  lost: number
}

type Row = Record<string, string>
type OnProgress = (counts: ReencryptedColumn) => void

/** Commits each batch separately, so that another run continues with the rest. */
export async function reencrypt(keyrings: string[], onProgress: OnProgress) {
  const columns = ENCRYPTED_COLUMNS.filter(({ keyring }) => keyrings.includes(keyring))
  const results: ReencryptedColumn[] = []
  for (const column of columns) results.push(await reencryptColumn(column, onProgress))
  return results
}

async function reencryptColumn(column: EncryptedColumn, onProgress: OnProgress) {
  const { content, keyring } = column
  const counts = { content, keyring, changed: 0, lost: 0 }
  const change = await changeOf(column)
  for await (const rows of walk(column)) {
    const changes = rows.map((row) => ({ row, value: change(row) }))
    counts.lost += changes.filter(({ value }) => value === null).length
    counts.changed += await write(column, changes)
    onProgress(counts)
  }
  return counts
}

/** Returned for a row: the same value if the first entry encrypted it, null if none decrypts it. */
async function changeOf({ keyring, column, purposeOf }: EncryptedColumn) {
  const name = ENCRYPTERS[keyring]
  const { driver } = await drivers.aes256gcm({ id: name, keys: [] }).resolver(app)
  const newest = driver(env.get(keyring)[0])
  return (row: Row): string | null => {
    const purpose = purposeOf(row)
    if (newest.decrypt(row[column], purpose) !== null) return row[column]
    const content = encryption.use(name).decrypt(row[column], purpose)
    return content === null ? null : encryption.use(name).encrypt(content, { purpose })
  }
}

async function* walk({ table, key, column, only }: EncryptedColumn): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  do {
    const query = db.from(table).whereNotNull(column).orderBy(key).limit(BATCH_SIZE)
    if (only) void query.whereIn(only.column, only.values)
    if (rows.length > 0) void query.where(key, '>', rows.at(-1)![key])
    rows = await query.select(key, column, ...(only ? [only.column] : []))
    yield rows
  } while (rows.length === BATCH_SIZE)
}

export async function countLost(keyring: EncryptedColumn['keyring']) {
  let lost = 0
  for (const column of ENCRYPTED_COLUMNS.filter((each) => each.keyring === keyring)) {
    const encrypter = encryption.use(ENCRYPTERS[keyring])
    const isLost = (row: Row) =>
      encrypter.decrypt(row[column.column], column.purposeOf(row)) === null
    for await (const rows of walk(column)) lost += rows.filter(isLost).length
  }
  return lost
}

/** Skips a value that changed since it was read: a server wrote it, with the first entry. */
function write(
  { table, key, column }: EncryptedColumn,
  changes: { row: Row; value: string | null }[]
) {
  const changed = changes.filter(({ row, value }) => value !== null && value !== row[column])
  return db.transaction(async (trx) => {
    let written = 0
    for (const { row, value } of changed) {
      const found = { [key]: row[key], [column]: row[column] }
      const query = trx.from(table).where(found)
      written += Number(await query.update({ [column]: value }))
    }
    return written
  })
}
