import { BaseSchema } from '@adonisjs/lucid/schema'

/** The console lists unverified users in any order. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw('CREATE INDEX users_unverified ON users (id) WHERE email_verified_at IS NULL')
  }

  async down() {
    this.schema.raw('DROP INDEX users_unverified')
  }
}
