import { BaseSchema } from '@adonisjs/lucid/schema'

/** Each reservation has an id, so that a window returns an attempt at most one time. */
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
