import { BaseSchema } from '@adonisjs/lucid/schema'

/** A hash of another product, which is verified until the first right secret replaces it. */
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
