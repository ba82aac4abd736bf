import { BaseSchema } from '@adonisjs/lucid/schema'
import { unversionTable, versionTable } from '#database/configuration_triggers'

/** Providers of external login that administrators add; the environment names others. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('external_providers', (table) => {
      table.string('name', 31).primary()
      table.string('issuer', 255).notNullable()
      table.string('client_id', 255).notNullable()
      /** Encrypted together with its issuer. Null after the restore of a backup without secrets. */
      table.text('client_secret')
      table.string('version', 36).notNullable()
      table.string('updated_by', 128).notNullable()
      table.bigInteger('updated_at').notNullable()
    })
    versionTable(this, { table: 'external_providers' })
    this.schema.alterTable('identities', (table) => {
      /** Whether the owner of the account linked the identity while signed in. */
      table.boolean('linked_by_owner').notNullable().defaultTo(false)
    })
  }

  async down() {
    unversionTable(this, { table: 'external_providers' })
    this.schema.dropTable('external_providers')
    /** The schema builder would copy the table on SQLite. */
    this.schema.raw('ALTER TABLE identities DROP COLUMN linked_by_owner')
  }
}
