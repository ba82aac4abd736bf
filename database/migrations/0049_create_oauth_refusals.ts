import { BaseSchema } from '@adonisjs/lucid/schema'

/** What a registered client was refused in the last 24 hours; an empty `sent` means null. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('oauth_refusals', (table) => {
      table.uuid('client_id').notNullable().references('oauth_clients.id').onDelete('CASCADE')
      table.smallint('is_trusted').notNullable()
      table.string('reason', 40).notNullable()
      table.string('sent', 200).notNullable()
      table.bigInteger('count').notNullable()
      table.bigInteger('first_at').notNullable()
      table.bigInteger('last_at').notNullable().index()
      table.primary(['client_id', 'is_trusted', 'reason', 'sent'])
    })
  }

  async down() {
    this.schema.dropTable('oauth_refusals')
  }
}
