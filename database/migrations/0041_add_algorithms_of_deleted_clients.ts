import { BaseSchema } from '@adonisjs/lucid/schema'

/** The algorithm that signs the logout tokens of a deleted client; before, it was always ES256. */
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
