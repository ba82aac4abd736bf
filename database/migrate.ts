import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import env from '#start/env'

/** The key of this product among the advisory locks of the database server. */
const ADVISORY_LOCK = 7_014_381

/** How long a process waits for another one that migrates: a large table takes minutes. */
const LOCK_TIMEOUT_MS = 300_000

/**
 * Runs the pending migrations and returns their names. Several processes may start at once:
 * one migrates, and the others wait for it and find nothing left to do.
 */
export async function migrate(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  const isPostgres = env.get('DB_CONNECTION') === 'pg'
  const connectionName = isPostgres ? 'pg_maintenance' : 'sqlite'
  const lock = isPostgres ? postgresLock : sqliteLock
  return lock(db, async () => {
    const options = { direction: 'up', dryRun: false, disableLocks: true, connectionName } as const
    const runner = new MigrationRunner(db, app, options)
    await runner.run()
    if (runner.error) throw runner.error
    return runner.migratedFiles
  })
}

/** The names of the migrations that this version has and the database has not run. */
export async function findPending(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  const migrations = await new MigrationRunner(db, app, { direction: 'up' }).getList()
  return migrations.filter(({ status }) => status === 'pending').map(({ name }) => name)
}

/** With `AUTO_MIGRATE=false` an operator migrates. @throws E_MIGRATIONS_PENDING until it is done */
export async function assertMigrated(app: ApplicationService) {
  const { length } = await findPending(app)
  if (length === 0) return
  throw Object.assign(new Error(`${length} migrations are pending`), {
    code: 'E_MIGRATIONS_PENDING',
  })
}

/**
 * A transaction holds the lock, so that the server releases it when the process dies. The lock
 * of the runner belongs to a session, which a pooler gives to others.
 */
function postgresLock<T>(db: Database, task: () => Promise<T>) {
  return db.connection('pg_maintenance').transaction(async (trx) => {
    await trx.rawQuery(`SET LOCAL statement_timeout = ${LOCK_TIMEOUT_MS}`)
    await trx.rawQuery('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK])
    return task()
  })
}

/** SQLite locks whole files: a second file is locked, so that the migration can write to the database. */
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
