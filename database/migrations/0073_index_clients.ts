import { BaseSchema } from '@adonisjs/lucid/schema'

const TTL = '(refresh_token_ttl) WHERE refresh_token_ttl IS NOT NULL'

/**
 | To reach the columns behind the long addresses and keys of a client, SQLite reads these values
 | and blocks. The indexes contain all that four queries read: a search, which clients name a
 | group, which clients claim groups, and how long sessions last.
 | Postgres stores long values separately, and its indexes contain no long values.
 */
const INDEXES = {
  sqlite: {
    oauth_clients_search: '(name, id, client_id, substr(redirect_uris, 1, 256))',
    oauth_clients_allowed: `(id, client_id, access, allowed_groups) WHERE allowed_groups <> '[]'`,
    oauth_clients_claims: `(id, claims) WHERE claims LIKE '%"groups%'`,
    oauth_clients_refresh_ttl: TTL,
  },
  postgres: {
    oauth_clients_allowed: `(id) WHERE allowed_groups <> '[]'`,
    oauth_clients_claims: `(id) WHERE claims LIKE '%"groups%'`,
    oauth_clients_refresh_ttl: TTL,
  },
}

export default class extends BaseSchema {
  async up() {
    for (const [name, columns] of Object.entries(this.#indexes))
      this.schema.raw(`CREATE INDEX ${name} ON oauth_clients ${columns}`)
    if (!this.#isPostgres) this.schema.raw('DROP INDEX oauth_clients_name_id')
  }

  async down() {
    if (!this.#isPostgres)
      this.schema.raw('CREATE INDEX oauth_clients_name_id ON oauth_clients (name, id)')
    for (const name of Object.keys(this.#indexes)) this.schema.raw(`DROP INDEX ${name}`)
  }

  get #isPostgres() {
    return this.db.dialect.name === 'postgres'
  }

  get #indexes() {
    return this.#isPostgres ? INDEXES.postgres : INDEXES.sqlite
  }
}
