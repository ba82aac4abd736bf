import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'

/** On Postgres the migration leaves the index out where it may not create the extension. */
export class SearchIndexCheck extends BaseCheck {
  name = 'search'

  async run() {
    if (await hasIndex()) return Result.ok('trigrams of names are indexed')
    const remedy =
      'Add pg_trgm and the index as a superuser: docs/deploy.md, “The index of the search”.'
    return Result.warning('searching users reads the whole table').setMetaData({ remedy })
  }
}

async function hasIndex() {
  if (env.get('DB_CONNECTION') !== 'pg') return true
  const sql = `SELECT to_regclass('users_names') AS name`
  const [{ name }] = await selectRows<{ name: string | null }>(db.connection(), sql, [])
  return name !== null
}
