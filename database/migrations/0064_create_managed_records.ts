import { BaseSchema } from '@adonisjs/lucid/schema'

/** The records that configuration files name, and the source that made each of them. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('managed_records', (table) => {
      table.string('kind', 15).notNullable()
      table.uuid('record_id').notNullable()
      /** The last part of the path of the file; null while no file names the record. */
      table.string('file', 255)
      table.string('source', 100)
      /** The source that made the record, and whose `--prune` may remove it. */
      table.string('made_by', 100).index()
      /** A list as JSON, empty while no file names the record. */
      table.text('fields').notNullable()
      /** Whether `CONFIG_FILES` named the file. */
      table.boolean('at_start').notNullable()
      table.bigInteger('applied_at').notNullable()
      table.primary(['kind', 'record_id'])
    })
  }

  async down() {
    this.schema.dropTable('managed_records')
  }
}
