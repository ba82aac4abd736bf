import { BaseSchema } from '@adonisjs/lucid/schema'

/*
 | The orders in which the console lists users, besides those of the API. A column that may be empty is ordered
 | by what stands for its emptiness, because the two databases disagree on where to put
 | nothing; `app/auth/users/roster.ts` uses the same expressions.
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
  }

  async down() {
    for (const name of [...Object.keys(EXPRESSIONS), 'invited']) {
      this.schema.raw(`DROP INDEX users_list_${name}`)
    }
  }
}
