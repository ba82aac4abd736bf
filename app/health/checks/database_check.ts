import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'
import { findUnwritable } from '#setup/writable_database'

const OLDEST_POSTGRES = 13

const POSTGRES = `SELECT current_setting('server_version') AS version,
  current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery() AS is_read_only`

/** The database answers and takes writes, and its version is one that the product supports. */
export class DatabaseCheck extends BaseCheck {
  name = 'database'

  run() {
    return env.get('DB_CONNECTION') === 'pg' ? this.#checkPostgres() : this.#checkSqlite()
  }

  async #checkPostgres() {
    const [row] = await selectRows<PostgresRow>(db.connection(), POSTGRES, [])
    if (Number.parseInt(row.version) < OLDEST_POSTGRES) {
      const remedy = `Use Postgres ${OLDEST_POSTGRES} or newer.`
      return Result.failed(`Postgres ${row.version}`).setMetaData({ remedy })
    }
    if (!row.is_read_only) return Result.ok(`Postgres ${row.version}`)
    const remedy = 'Name the primary in DATABASE_URL; check default_transaction_read_only.'
    return Result.failed(`Postgres ${row.version} takes no writes`).setMetaData({ remedy })
  }

  async #checkSqlite() {
    const [{ version }] = await selectRows<SqliteRow>(db.connection(), SQLITE, [])
    const unwritable = findUnwritable(env.get('DATA_DIR'))
    if (!unwritable) return Result.ok(`SQLite ${version}`)
    return Result.failed(unwritable.message).setMetaData({ remedy: unwritable.remedy })
  }
}

const SQLITE = 'SELECT sqlite_version() AS version'

interface SqliteRow {
  version: string
}

interface PostgresRow extends SqliteRow {
  is_read_only: boolean
}
