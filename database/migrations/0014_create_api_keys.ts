import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.createTable('api_keys', (table) => {
      table.string('id', 16).primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      /** The user who made the key is notified if its owner has no mailbox. */
      table.uuid('created_by').references('users.id').onDelete('SET NULL').index()
      table.string('name', 100).notNullable()
      table.string('key_hash', 43).notNullable()
      table.string('scopes', 255).notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      /** Null after the reminder was queued. */
      table.bigInteger('remind_at').index()
      table.bigInteger('last_used_at')
      table.string('last_used_ip', 45)
      table.index(['user_id', 'created_at'])
    })
  }

  async down() {
    this.schema.dropTable('api_keys')
  }
}
