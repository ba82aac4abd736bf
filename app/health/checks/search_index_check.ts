import { BaseCheck } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { selectRows } from '#database/select_rows'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

/** On Postgres, the migration omits the index if it may not create the extension. */
export class SearchIndexCheck extends BaseCheck {
  name = 'search'

  async run() {
    if (await hasIndex()) return passed(sentence('search.good'))
    return warning(sentence('search.none'), sentence('search.remedy'))
  }
}

async function hasIndex() {
  if (env.get('DB_CONNECTION') !== 'pg') return true
  const sql = `SELECT to_regclass('users_names') AS name`
  const [{ name }] = await selectRows<{ name: string | null }>(db.connection(), sql, [])
  return name !== null
}
