import { BaseSchema } from '@adonisjs/lucid/schema'

/** A user has at most 50 grants, and thousands of codes and tokens beside them. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(
      `CREATE INDEX oauth_records_grants_of_users
       ON oauth_records (user_id, client_id, expires_at) WHERE kind = 'Grant'`
    )
  }

  async down() {
    this.schema.raw('DROP INDEX oauth_records_grants_of_users')
  }
}
