import { join, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { defineConfig } from '@adonisjs/lucid'
import '#database/patches/knex_begin'
import '#database/patches/knex_commit'
import env from '#start/env'
import { prepareSqlite } from '#database/sqlite_connection'
import {
  maintenanceConnection,
  replicaConnection,
  requestConnection,
  requestPool,
} from '#database/postgres_connection'

const dataDir = resolve(env.get('DATA_DIR'))
mkdirSync(dataDir, { recursive: true, mode: 0o700 })

/** The embedded database; the token store opens it for reading besides Lucid. */
export const sqliteFile = join(dataDir, 'gatehouse.sqlite')

/** A failure tells the statement without its values: names, addresses and hashes belong in no log. */
const discreet = { compileSqlOnError: false }

const migrations = { naturalSort: true, paths: ['database/migrations'] }
/** The tables of the search on SQLite, with those in which FTS5 keeps its index. */
const SEARCH_TABLES = ['', '_keys', '_config', '_content', '_data', '_docsize', '_idx'].map(
  (suffix) => `user_names${suffix}`
)

const schemaGeneration = {
  enabled: env.get('NODE_ENV') === 'development',
  outputPath: 'database/schema.ts',
  rulesPaths: ['./database/schema_rules.js'],
  excludeTables: ['queue_jobs', 'queue_schedules', 'rate_limits', 'user_counts', ...SEARCH_TABLES],
}

export default defineConfig({
  connection: env.get('DB_CONNECTION'),
  connections: {
    sqlite: {
      ...discreet,
      client: 'better-sqlite3',
      connection: { filename: sqliteFile },
      useNullAsDefault: true,
      pool: { min: 1, max: 1, afterCreate: prepareSqlite, acquireTimeoutMillis: 2_000 },
      migrations,
      schemaGeneration,
    },
    pg: {
      ...discreet,
      client: 'pg',
      connection: requestConnection,
      pool: requestPool,
      migrations,
    },
    pg_maintenance: {
      ...discreet,
      client: 'pg',
      connection: maintenanceConnection,
      pool: { min: 0, max: 3 },
      migrations,
    },
    pg_replica: {
      ...discreet,
      client: 'pg',
      connection: replicaConnection ?? requestConnection,
      pool: { ...requestPool, afterCreate: undefined },
    },
  },
})
