import { BaseSchema } from '@adonisjs/lucid/schema'

/** Finds the oldest records of a kind, of which only so many are kept. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('oauth_records', (table) => {
      table.index(['kind', 'expires_at', 'id_hash'], 'oauth_records_kind_expires_at')
    })
  }

  async down() {
    this.schema.alterTable('oauth_records', (table) => {
      table.dropIndex(['kind', 'expires_at', 'id_hash'], 'oauth_records_kind_expires_at')
    })
  }
}
