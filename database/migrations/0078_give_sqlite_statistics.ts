import { BaseSchema } from '@adonisjs/lucid/schema'

/*
 | Without statistics, SQLite assumes ten rows for each value of an indexed column. `kind` has few
 | values, so SQLite read all grants of the installation to find the grants of a user. The numbers
 | describe a large installation (sqlite.org/optoverview.html, “Manual Control Of Query Plans Using
 | SQLITE_STAT Tables”), so plans are the same for every size and at any time.
 */
const ROWS_OF_VALUE: Record<string, string> = {
  sqlite_autoindex_oauth_records_1: '1000000 200000 1',
  oauth_records_kind_expires_at: '1000000 200000 1 1',
  oauth_records_client_id_kind_expires_at: '1000000 50000 10000 1',
  oauth_records_grants: '200000 1',
  oauth_records_grants_of_browsers: '200000 3 1 1',
  oauth_records_grants_of_users: '200000 5 2 1',
  oauth_records_grant_id_index: '1000000 4',
  oauth_records_user_id_index: '1000000 10',
  oauth_records_web_session_id_index: '1000000 10',
  oauth_records_expires_at_index: '1000000 1',
  oauth_records_user_code_hash_unique: '1000000 1',
}

const TABLE = 'oauth_records'

export default class extends BaseSchema {
  async up() {
    if (this.db.dialect.name === 'postgres') return
    this.schema.raw('PRAGMA analysis_limit = 1')
    this.schema.raw(`ANALYZE ${TABLE}`)
    this.schema.raw('PRAGMA analysis_limit = 0')
    this.schema.raw(`DELETE FROM sqlite_stat1 WHERE tbl = '${TABLE}'`)
    for (const [index, stat] of Object.entries(ROWS_OF_VALUE)) {
      this.schema.raw(
        `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('${TABLE}', '${index}', '${stat}')`
      )
    }
    this.schema.raw('ANALYZE sqlite_schema')
  }

  async down() {
    if (this.db.dialect.name === 'postgres') return
    this.schema.raw(`DELETE FROM sqlite_stat1 WHERE tbl = '${TABLE}'`)
    this.schema.raw('ANALYZE sqlite_schema')
  }
}
