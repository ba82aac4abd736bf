import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import env from '#start/env'
import { prepareSqlite } from '#database/sqlite_connection'
import { KEPT_TABLES, type KeptTable } from '#backup/tables'
import { encoderOf, keptColumns } from '#backup/snapshot/encode_rows'
import { openSnapshot, type Snapshot } from '#backup/snapshot/snapshot'
import { Loader } from './load_rows.ts'
import type { Batch } from './batches.ts'

// Rows of an earlier version pass through a separate database of that version. The migrations
// since then can change them only there.

const CONNECTION = 'restore_stage'
const SCHEMA = 'adonis_schema'
const STAGE = /^\.restore-[\da-f-]{36}\.sqlite(-wal|-shm|-journal)?$/

/** Removes the rows of a backup that a killed restore left in the folder. */
export function sweepStages() {
  const folder = resolve(env.get('DATA_DIR'))
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((each) => STAGE.test(each))) {
    rmSync(join(folder, name), { force: true })
  }
}

/** @param migrations the names that the archive contains */
export async function* throughOlderSchema(batches: AsyncIterable<Batch>, migrations: string[]) {
  const file = join(resolve(env.get('DATA_DIR')), `.restore-${randomUUID()}.sqlite`)
  openStage(file)
  try {
    await migrateTo(migrations)
    await fill(batches)
    await migrateToEnd()
    yield* rowsOf(file)
  } finally {
    await db.manager.close(CONNECTION, true)
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  }
}

function openStage(filename: string) {
  db.manager.add(CONNECTION, {
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: { min: 1, max: 1, afterCreate: prepareSqlite },
    migrations: { naturalSort: true, paths: ['database/migrations'] },
  })
  db.manager.connect(CONNECTION)
}

function newRunner() {
  const options = { direction: 'up', disableLocks: true, connectionName: CONNECTION } as const
  return new MigrationRunner(db, app, options)
}

/** Marks the later migrations as done until the rows are loaded. */
async function migrateTo(migrations: string[]) {
  const all = await newRunner().getList()
  const later = all.filter(({ name }) => !migrations.includes(name.split('/').at(-1)!))
  const rows = later.map(({ name }) => ({ name, batch: 0 }))
  await db.connection(CONNECTION).table(SCHEMA).multiInsert(rows)
  await run()
}

async function migrateToEnd() {
  await db.connection(CONNECTION).from(SCHEMA).where('batch', 0).delete()
  await run()
}

async function run() {
  const runner = newRunner()
  await runner.run()
  if (runner.error) throw runner.error
}

async function fill(batches: AsyncIterable<Batch>) {
  await db.connection(CONNECTION).transaction(async (trx) => {
    const loader = new Loader(trx, true)
    for await (const { table, rows } of batches) await loader.load(table, rows)
  })
}

async function* rowsOf(file: string): AsyncGenerator<Batch> {
  const snapshot = await openSnapshot({ kind: 'sqlite', file })
  try {
    for (const table of KEPT_TABLES) yield* tableRows(snapshot, table)
  } finally {
    await snapshot.end()
  }
}

async function* tableRows(
  snapshot: Snapshot,
  [name, table]: [string, KeptTable]
): AsyncGenerator<Batch> {
  const columns = keptColumns(await snapshot.columnsOf(name), table)
  const encode = encoderOf(columns, table, true)
  for await (const rows of snapshot.rows({ table: name, columns, key: table.key })) {
    yield { table: name, rows: rows.map(encode) }
  }
}
