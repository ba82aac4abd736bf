import { BaseSchema } from '@adonisjs/lucid/schema'

const COLUMNS = ['client_id', 'kind', 'expires_at']
const NAME = 'oauth_records_client_id_kind_expires_at'

export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('oauth_records', (table) => {
      table.index(COLUMNS, NAME)
      table.dropIndex(['client_id'])
    })
  }

  async down() {
    this.schema.alterTable('oauth_records', (table) => {
      table.index(['client_id'])
      table.dropIndex(COLUMNS, NAME)
    })
  }
}
