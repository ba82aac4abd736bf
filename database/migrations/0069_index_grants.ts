import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Codes and refresh tokens carry the id of their grant, and grants the id of their client. Without
 * these indexes, a sign-in reads each row with the id.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(
      `CREATE INDEX oauth_records_grants ON oauth_records (grant_id) WHERE kind = 'Grant'`
    )
    this.schema.raw(
      `CREATE INDEX oauth_records_grants_of_browsers
       ON oauth_records (web_session_id, client_id, expires_at) WHERE kind = 'Grant'`
    )
  }

  async down() {
    for (const name of ['oauth_records_grants', 'oauth_records_grants_of_browsers']) {
      this.schema.raw(`DROP INDEX ${name}`)
    }
  }
}
