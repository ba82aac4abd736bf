import { BaseSchema } from '@adonisjs/lucid/schema'

/** The limit of each kind deletes the oldest records of that kind. */
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
