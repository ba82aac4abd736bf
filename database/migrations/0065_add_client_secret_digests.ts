import { BaseSchema } from '@adonisjs/lucid/schema'

/** A hash from another product, which is used until the first correct secret replaces it. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('oauth_clients', (table) => {
      table.text('secret_digest')
    })
  }

  async down() {
    this.schema.raw('ALTER TABLE oauth_clients DROP COLUMN secret_digest')
  }
}
