import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('oauth_clients', (table) => {
      table.string('logo', 60)
      table.index(['name', 'id'], 'oauth_clients_name_id')
    })
    this.schema.createTable('oauth_client_logos', (table) => {
      table.uuid('id').primary().references('oauth_clients.id').onDelete('CASCADE')
      table.string('name', 37).notNullable().unique()
      table.binary('image').notNullable()
    })
  }

  async down() {
    this.schema.dropTable('oauth_client_logos')
    this.schema.alterTable('oauth_clients', (table) => {
      table.dropIndex(['name', 'id'], 'oauth_clients_name_id')
      table.dropColumn('logo')
    })
  }
}
