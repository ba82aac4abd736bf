import { BaseSchema } from '@adonisjs/lucid/schema'

/** Batches delete the mails of a deleted user: one transaction for all of them could be long. */
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
