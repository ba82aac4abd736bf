import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Users who are deleted and whose mails are still to be deleted, in batches. The foreign key went
 * through all of them within the transaction that deletes the user.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('mail_erasures', (table) => {
      table.uuid('user_id').primary()
      table.string('recipient', 254).notNullable()
      table.uuid('before').notNullable()
    })
    this.schema.alterTable('mails', (table) => {
      table.dropForeign('user_id')
    })
  }

  async down() {
    this.schema.alterTable('mails', (table) => {
      table.foreign('user_id').references('users.id').onDelete('SET NULL')
    })
    this.schema.dropTable('mail_erasures')
  }
}
