import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import env from '#start/env'

/** Of this product, among whatever else may lock in the same database server. */
const ADVISORY_LOCK = 7_014_381

/** A migration of a large table takes its time, and the others have nothing to do meanwhile. */
const LOCK_TIMEOUT_MS = 300_000

/**
 * Runs the pending migrations and tells which ran. Several instances may start at once:
 * one migrates, and the others wait for it and find nothing left to do.
 */
export async function migrate(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  const isServer = env.get('DB_CONNECTION') === 'pg'
  const connectionName = isServer ? 'pg_maintenance' : 'sqlite'
  const lock = isServer ? serverLock : embeddedLock
  return lock(db, async () => {
    const runner = new MigrationRunner(db, app, { direction: 'up', dryRun: false, connectionName })
    await runner.run()
    if (runner.error) throw runner.error
    return runner.migratedFiles
  })
}

/** Held by a transaction, so that the server lets go when the process dies. */
function serverLock<T>(db: Database, task: () => Promise<T>) {
  return db.connection('pg_maintenance').transaction(async (trx) => {
    await trx.rawQuery(`SET LOCAL statement_timeout = ${LOCK_TIMEOUT_MS}`)
    await trx.rawQuery('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK])
    return task()
  })
}

/** SQLite locks files: one beside the database, so that the migration itself is free to write. */
async function embeddedLock<T>(_: Database, task: () => Promise<T>) {
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
