import { BaseSchema } from '@adonisjs/lucid/schema'

const COLUMNS = ['metadata', 'app_metadata']

/** JSON objects; null while empty. A text column keeps the order of keys and an escaped NUL. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('users', (table) => {
      for (const column of COLUMNS) table.text(column)
    })
  }

  /** The schema builder copies the table on SQLite, without its triggers. */
  async down() {
    for (const column of COLUMNS) this.schema.raw(`ALTER TABLE users DROP COLUMN ${column}`)
  }
}
