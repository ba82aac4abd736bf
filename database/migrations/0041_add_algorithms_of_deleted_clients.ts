import { BaseSchema } from '@adonisjs/lucid/schema'

/** What signs the logout tokens of a deleted client; all were ES256 until now. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('client_deletions', (table) => {
      table.string('id_token_algorithm', 5).notNullable().defaultTo('ES256')
    })
  }

  async down() {
    this.schema.alterTable('client_deletions', (table) => {
      table.dropColumn('id_token_algorithm')
    })
  }
}
