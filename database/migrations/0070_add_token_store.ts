import { BaseSchema } from '@adonisjs/lucid/schema'

/** The `STORE` of the last start: another store may still contain sessions that have ended. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('installation', (table) => void table.string('token_store', 16))
  }

  async down() {
    this.schema.alterTable('installation', (table) => void table.dropColumn('token_store'))
  }
}
