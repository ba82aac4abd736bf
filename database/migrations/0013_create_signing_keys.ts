import { BaseSchema } from '@adonisjs/lucid/schema'

// The unique number decides between two processes that add a key at the same time. `tokens_until`
// is the end of the last token of a key.
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('signing_keys', (table) => {
      table.string('kid', 43).primary()
      table.integer('number').notNullable().unique()
      table.string('purpose', 8).notNullable()
      table.string('algorithm', 8).notNullable()
      table.text('public_jwk').notNullable()
      table.text('private_key')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('signs_from').notNullable()
      table.bigInteger('tokens_until').notNullable().defaultTo(0)
      table.bigInteger('revoked_at')
    })
  }

  async down() {
    this.schema.dropTable('signing_keys')
  }
}
