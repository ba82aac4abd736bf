import { BaseSchema } from '@adonisjs/lucid/schema'

/** The ids of the attempts that a window counts, so that each is returned once at most. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('login_attempts', (table) => {
      table.text('reservations').notNullable().defaultTo('')
    })
  }

  async down() {
    this.schema.alterTable('login_attempts', (table) => table.dropColumn('reservations'))
  }
}
