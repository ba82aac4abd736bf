import { BaseSchema } from '@adonisjs/lucid/schema'

/** Deleted clients whose sessions are still to be ended, in batches. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('client_deletions', (table) => {
      table.string('client_id', 255).primary()
      table.text('backchannel_logout_uri')
      table.bigInteger('requested_at').notNullable()
    })
  }

  async down() {
    this.schema.dropTable('client_deletions')
  }
}
