import { BaseSchema } from '@adonisjs/lucid/schema'

/** The client that a session is with, so that those of a client are found and their ends told. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('sessions', (table) => table.string('client_id', 255))
  }

  async down() {
    this.schema.alterTable('sessions', (table) => table.dropColumn('client_id'))
  }
}
