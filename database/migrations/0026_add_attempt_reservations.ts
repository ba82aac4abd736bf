import { BaseSchema } from '@adonisjs/lucid/schema'

/** An id lets a window return each attempt once at most. */
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
