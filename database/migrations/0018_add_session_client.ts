import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('sessions', (table) => table.string('client_id', 255))
  }

  async down() {
    this.schema.alterTable('sessions', (table) => table.dropColumn('client_id'))
  }
}
