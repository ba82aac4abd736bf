import { BaseSchema } from '@adonisjs/lucid/schema'
import { unversionTable, versionTable } from '#database/configuration_triggers'

/** The settings that administrators make in the console; processes hold them in memory. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('settings', (table) => {
      table.string('key', 64).primary()
      table.text('value').notNullable()
      table.boolean('encrypted').notNullable().defaultTo(false)
      table.string('version', 36).notNullable()
      table.string('updated_by', 128).notNullable()
      table.bigInteger('updated_at').notNullable()
    })
    versionTable(this, { table: 'settings' })
  }

  async down() {
    unversionTable(this, { table: 'settings' })
    this.schema.dropTable('settings')
  }
}
