import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'

const OLDEST_POSTGRES = 13

/** The database answers, and its version is one that the product supports. */
export class DatabaseCheck extends BaseCheck {
  name = 'database'

  async run() {
    const isPostgres = env.get('DB_CONNECTION') === 'pg'
    const sql = isPostgres ? 'SHOW server_version' : 'SELECT sqlite_version() AS server_version'
    const [row] = await selectRows<{ server_version: string }>(db.connection(), sql, [])
    const version = row.server_version
    if (!isPostgres) return Result.ok(`SQLite ${version}`)
    if (Number.parseInt(version) >= OLDEST_POSTGRES) return Result.ok(`Postgres ${version}`)
    const remedy = `Use Postgres ${OLDEST_POSTGRES} or newer.`
    return Result.failed(`Postgres ${version}`).setMetaData({ remedy })
  }
}
