import { BaseSchema } from '@adonisjs/lucid/schema'

/** The list of inactive users finds users who were created long ago and never signed in. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(
      'CREATE INDEX users_never_signed_in ON users (created_at) WHERE last_login_at IS NULL'
    )
  }

  async down() {
    this.schema.raw('DROP INDEX users_never_signed_in')
  }
}
