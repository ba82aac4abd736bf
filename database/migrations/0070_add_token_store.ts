import { BaseSchema } from '@adonisjs/lucid/schema'

/** Which `STORE` the last start had: another one may have sessions that ended meanwhile. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('installation', (table) => void table.string('token_store', 16))
  }

  async down() {
    this.schema.alterTable('installation', (table) => void table.dropColumn('token_store'))
  }
}
