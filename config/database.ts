import { join, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { defineConfig } from '@adonisjs/lucid'
import type { Database } from 'better-sqlite3'
import '#database/commit'
import env from '#start/env'
import {
  patientConnection,
  replicaConnection,
  requestConnection,
  requestPool,
} from '#database/server_connection'

const dataDir = resolve(env.get('DATA_DIR'))
mkdirSync(dataDir, { recursive: true, mode: 0o700 })

/** The embedded database; the token store opens it for reading besides Lucid. */
export const sqliteFile = join(dataDir, 'gatehouse.sqlite')

/**
 * Prepares an embedded connection.
 *
 * - WAL: readers never wait for the writer, and `kill -9` loses nothing committed.
 * - `synchronous=FULL`: a commit survives a power cut too, at one fsync each.
 * - `BEGIN IMMEDIATE`: a transaction that reads first and writes later would fail at
 *   once when another process wrote in between; asking for the lock first waits instead.
 * - `busy_timeout`: another process that writes is waited for, but not for long, because
 *   the wait stops this process as a whole.
 * - Statements are compiled once: knex compiles each anew, which costs more than running it.
 */
function prepareSqlite(connection: Database, done: (error: unknown, connection: Database) => void) {
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('busy_timeout = 500')
  const compile = connection.prepare.bind(connection)
  const compiled = new Map<string, ReturnType<typeof compile>>()
  connection.prepare = ((sql: string) => {
    const known = compiled.get(sql)
    if (known) return known
    const statement = compile(sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql)
    if (compiled.size < 500) compiled.set(sql, statement)
    return statement
  }) as typeof connection.prepare
  done(null, connection)
}

const migrations = { naturalSort: true, paths: ['database/migrations'] }
const schemaGeneration = {
  enabled: env.get('NODE_ENV') === 'development',
  outputPath: 'database/schema.ts',
  rulesPaths: ['./database/schema_rules.js'],
  excludeTables: ['queue_jobs', 'queue_schedules', 'rate_limits'],
}

export default defineConfig({
  connection: env.get('DB_CONNECTION'),
  connections: {
    sqlite: {
      client: 'better-sqlite3',
      connection: { filename: sqliteFile },
      useNullAsDefault: true,
      pool: { min: 1, max: 1, afterCreate: prepareSqlite, acquireTimeoutMillis: 2_000 },
      migrations,
      schemaGeneration,
    },
    pg: { client: 'pg', connection: requestConnection, pool: requestPool, migrations },
    pg_patient: {
      client: 'pg',
      connection: patientConnection,
      pool: { min: 0, max: 3 },
      migrations,
    },
    pg_replica: {
      client: 'pg',
      connection: replicaConnection ?? requestConnection,
      pool: { ...requestPool, afterCreate: undefined },
    },
  },
})
