import { BaseCheck } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { findUnwritable } from '#setup/writable_database'

const OLDEST_POSTGRES = 13

const POSTGRES = `SELECT current_setting('server_version') AS version,
  current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery() AS is_read_only`

/** Checks that the database answers and accepts writes, and that its version is supported. */
export class DatabaseCheck extends BaseCheck {
  name = 'database'

  run() {
    return env.get('DB_CONNECTION') === 'pg' ? this.#checkPostgres() : this.#checkSqlite()
  }

  async #checkPostgres() {
    const [row] = await selectRows<PostgresRow>(db.connection(), POSTGRES, [])
    const version = versionOf('Postgres', row)
    if (Number.parseInt(row.version) < OLDEST_POSTGRES) {
      return failed(version, sentence('database.old_remedy', { oldest: OLDEST_POSTGRES }))
    }
    if (!row.is_read_only) return passed(version)
    const finding = sentence('database.read_only', { version: row.version })
    return failed(finding, sentence('database.read_only_remedy'))
  }

  async #checkSqlite() {
    const [row] = await selectRows<SqliteRow>(db.connection(), SQLITE, [])
    const unwritable = findUnwritable(env.get('DATA_DIR'))
    if (!unwritable) return passed(versionOf('SQLite', row))
    return failed(unwritable.finding, unwritable.remedy)
  }
}

function versionOf(name: string, { version }: SqliteRow) {
  return sentence('database.version', { name, version })
}

const SQLITE = 'SELECT sqlite_version() AS version'

interface SqliteRow {
  version: string
}

interface PostgresRow extends SqliteRow {
  is_read_only: boolean
}
