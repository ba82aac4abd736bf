import { BaseSchema } from '@adonisjs/lucid/schema'

/** Users also consent to clients of documents, so a consent does not refer to `oauth_clients`. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('oauth_client_documents', (table) => {
      table.string('client_id', 255).primary()
      table.text('document').notNullable()
      table.bigInteger('read_at').notNullable().index()
      table.bigInteger('fresh_until').notNullable()
      table.bigInteger('expires_at').notNullable().index()
    })
    this.schema.alterTable('oauth_consents', (table) => {
      table.dropForeign('client_id')
    })
    this.schema.alterTable('oauth_consents', (table) => {
      table.string('client_id', 255).notNullable().alter()
    })
  }

  async down() {
    this.schema.dropTable('oauth_client_documents')
    this.defer(async (db) => {
      await db.from('oauth_consents').whereLike('client_id', 'https://%').delete()
    })
    this.schema.alterTable('oauth_consents', (table) => {
      table.string('client_id', 24).notNullable().alter()
      table.foreign('client_id').references('oauth_clients.client_id').onDelete('CASCADE')
    })
  }
}
