import { BaseSchema } from '@adonisjs/lucid/schema'

const TABLE = 'oauth_clients'

/** The defaults keep the behaviour that all clients had before. */
const SWITCHES = {
  require_pkce: true,
  id_token_claims: true,
  allow_http: false,
  require_verified_email: false,
  require_par: false,
  require_dpop: false,
}

const TEXTS = ['jwks', 'jwks_uri', 'home_url']

export default class extends BaseSchema {
  async up() {
    this.schema.alterTable(TABLE, (table) => {
      for (const [column, value] of Object.entries(SWITCHES))
        table.boolean(column).notNullable().defaultTo(value)
      for (const column of TEXTS) table.text(column)
      table.string('id_token_algorithm', 5).notNullable().defaultTo('ES256')
      table.string('refresh_tokens', 6).notNullable().defaultTo('scope')
      table.string('refresh_token_ttl', 20)
    })
    this.#lengthenIds(100)
  }

  /** SQLite does not enforce the length of a text. */
  #lengthenIds(length: number) {
    if (this.db.dialect.name !== 'postgres') return
    this.schema.raw(`ALTER TABLE ${TABLE} ALTER COLUMN client_id TYPE varchar(${length})`)
  }

  async down() {
    this.#lengthenIds(24)
    this.schema.alterTable(TABLE, (table) => {
      const added = ['id_token_algorithm', 'refresh_tokens', 'refresh_token_ttl']
      table.dropColumns(...Object.keys(SWITCHES), ...TEXTS, ...added)
    })
  }
}
