import { BaseSchema } from '@adonisjs/lucid/schema'

/** The devices that a user has signed in from: a sign-in from another one sends them a mail. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('known_devices', (table) => {
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('fingerprint', 43).notNullable()
      table.bigInteger('first_seen_at').notNullable()
      table.primary(['user_id', 'fingerprint'])
    })
  }

  async down() {
    this.schema.dropTable('known_devices')
  }
}
