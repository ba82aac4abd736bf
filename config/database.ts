import { join, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { defineConfig } from '@adonisjs/lucid'
import '#database/patches/knex_begin'
import '#database/patches/knex_commit'
import '#database/patches/knex_limit'
import env from '#start/env'
import { connectionLog } from '#database/connection_log'
import { prepareSqlite } from '#database/sqlite_connection'
import {
  maintenanceConnection,
  replicaConnection,
  replicaPool,
  requestConnection,
  requestPool,
} from '#database/postgres_connection'

const dataDir = resolve(env.get('DATA_DIR'))
mkdirSync(dataDir, { recursive: true, mode: 0o700 })

export const sqliteFile = join(dataDir, 'gatehouse.sqlite')

/** Errors show a statement without its values, so that no name, address or hash reaches a log. */
const withoutValues = { compileSqlOnError: false, log: connectionLog }

const migrations = { naturalSort: true, paths: ['database/migrations'] }

const SEARCH_TABLES = ['', '_keys', '_config', '_content', '_data', '_docsize', '_idx'].map(
  (suffix) => `user_names${suffix}`
)

export const TABLES_WITHOUT_MODEL = [
  'address_codes',
  'api_keys',
  'audit_chain',
  'audit_erasures',
  'audit_events',
  'audit_floods',
  'audit_keys',
  'avatars',
  'backup_files',
  'backup_state',
  'client_deletions',
  'configuration_version',
  'external_logins',
  'external_providers',
  'external_states',
  'group_deletions',
  'group_members',
  'groups',
  'handles',
  'installation',
  'known_devices',
  'login_attempts',
  'mail_erasures',
  'mails',
  'managed_records',
  'mfa_backup_codes',
  'mfa_challenges',
  'mfa_enrolments',
  'oauth_client_documents',
  'oauth_client_logos',
  'oauth_clients',
  'oauth_consent_scopes',
  'oauth_consents',
  'oauth_records',
  'oauth_refusals',
  'one_time_tokens',
  'outbound_pauses',
  'passkey_challenges',
  'passkeys',
  'processes',
  'provider_memberships',
  'queue_jobs',
  'queue_receivers',
  'queue_schedules',
  'rate_limits',
  'revocations',
  'revoked_tokens',
  'sessions',
  'settings',
  'signing_keys',
  'unfinished_restores',
  'user_counts',
  'webhook_deliveries',
  'webhook_lanes',
  'webhook_state',
  'webhooks',
  ...SEARCH_TABLES,
]

const schemaGeneration = {
  enabled: env.get('NODE_ENV') === 'development',
  outputPath: 'database/schema.ts',
  rulesPaths: ['./database/schema_rules.js'],
  excludeTables: TABLES_WITHOUT_MODEL,
}

export default defineConfig({
  connection: env.get('DB_CONNECTION'),
  connections: {
    sqlite: {
      ...withoutValues,
      client: 'better-sqlite3',
      connection: { filename: sqliteFile },
      useNullAsDefault: true,
      pool: { min: 1, max: 1, afterCreate: prepareSqlite, acquireTimeoutMillis: 2_000 },
      migrations,
      schemaGeneration,
    },
    pg: {
      ...withoutValues,
      client: 'pg',
      connection: requestConnection,
      pool: requestPool,
      migrations,
    },
    pg_maintenance: {
      ...withoutValues,
      client: 'pg',
      connection: maintenanceConnection,
      pool: { min: 0, max: 3 },
      migrations,
    },
    pg_replica: {
      ...withoutValues,
      client: 'pg',
      connection: replicaConnection ?? requestConnection,
      pool: replicaPool,
    },
  },
})
