import { BaseSchema } from '@adonisjs/lucid/schema'

/*
 | Indexes of the orders that only the console uses; migration 0001 has those of the API.
 | A column that may be NULL is ordered by an expression that replaces NULL, because SQLite
 | and Postgres disagree on where NULL belongs. The expressions have to equal those of
 | `app/users/list/order.ts`, or the databases sort the whole table.
 */
const EXPRESSIONS: Record<string, string> = {
  provider: "COALESCE(provider, '')",
  status: 'COALESCE(disabled_at, 0)',
  mfa: 'mfa_enabled',
}

export default class extends BaseSchema {
  async up() {
    for (const [name, expression] of Object.entries(EXPRESSIONS)) {
      this.schema.raw(`CREATE INDEX users_list_${name} ON users ((${expression}), id)`)
    }
    this.schema.raw(`
      CREATE INDEX users_list_invited ON users (id)
      WHERE password IS NULL AND provider IS NULL AND last_login_at IS NULL`)
    /** Few of very many, which every order would have to look for in the whole table. */
    this.schema.raw(`CREATE INDEX users_list_services ON users (id) WHERE kind = 'service'`)
  }

  async down() {
    for (const name of [...Object.keys(EXPRESSIONS), 'invited', 'services']) {
      this.schema.raw(`DROP INDEX users_list_${name}`)
    }
  }
}
