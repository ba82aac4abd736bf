import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import env from '#start/env'
import { deferSyncOfMigrations } from './sqlite_durability.ts'

const ADVISORY_LOCK = 7_014_381

/** Another process may migrate a large table for minutes. */
const LOCK_TIMEOUT_MS = 300_000

/**
 * Several processes may start together: one migrates, the others wait and find nothing left.
 * @returns the names of the migrations that it ran
 */
export async function migrate(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  const isPostgres = env.get('DB_CONNECTION') === 'pg'
  const connectionName = isPostgres ? 'pg_maintenance' : 'sqlite'
  const lock = isPostgres ? postgresLock : sqliteLock
  return lock(db, async () => {
    const options = { direction: 'up', dryRun: false, disableLocks: true, connectionName } as const
    const runner = new MigrationRunner(db, app, options)
    await deferSyncOfMigrations(() => runner.run())
    if (runner.error) throw runner.error
    return runner.migratedFiles
  })
}

async function listMigrations(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  return new MigrationRunner(db, app, { direction: 'up' }).getList()
}

export async function findPending(app: ApplicationService) {
  const migrations = await listMigrations(app)
  return migrations.filter(({ status }) => status === 'pending').map(({ name }) => name)
}

/** Returns the names that this version knows, without a folder, such as `0001_create_users`. */
export async function findMigrations(app: ApplicationService) {
  const migrations = await listMigrations(app)
  return migrations.map(({ name }) => name.split('/').at(-1)!)
}

/** @throws E_MIGRATIONS_PENDING while an operator has to migrate (`AUTO_MIGRATE=false`) */
export async function assertMigrated(app: ApplicationService) {
  const { length } = await findPending(app)
  if (length === 0) return
  throw Object.assign(new Error(`${length} migrations are pending`), {
    code: 'E_MIGRATIONS_PENDING',
  })
}

/**
 * The server releases the lock of a transaction when the process dies. A pooler would share the
 * lock of a session between its clients.
 */
function postgresLock<T>(db: Database, task: () => Promise<T>) {
  return db.connection('pg_maintenance').transaction(async (trx) => {
    await trx.rawQuery(`SET LOCAL statement_timeout = ${LOCK_TIMEOUT_MS}`)
    await trx.rawQuery('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK])
    return task()
  })
}

/** SQLite locks whole files, so the lock needs a second file: the migration writes to the first. */
async function sqliteLock<T>(_: Database, task: () => Promise<T>) {
  const lock = new Sqlite(join(env.get('DATA_DIR'), 'migrations.lock'), {
    timeout: LOCK_TIMEOUT_MS,
  })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return await task()
  } finally {
    lock.close()
  }
}
