import { BaseSchema } from '@adonisjs/lucid/schema'

// SQLite and Postgres sort NULL in different places, so an expression replaces it. It has to equal
// the one in `app/users/list/order.ts`, or the databases sort the whole table.
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
    /** Service accounts are few: without an index every order searches the whole table. */
    this.schema.raw(`CREATE INDEX users_list_services ON users (id) WHERE kind = 'service'`)
  }

  async down() {
    for (const name of [...Object.keys(EXPRESSIONS), 'invited', 'services']) {
      this.schema.raw(`DROP INDEX users_list_${name}`)
    }
  }
}
