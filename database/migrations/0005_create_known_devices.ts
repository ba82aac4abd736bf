import { BaseSchema } from '@adonisjs/lucid/schema'

/** A sign-in from another device sends a mail. A device with a `token_id` has its own attempts. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('known_devices', (table) => {
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('fingerprint', 43).notNullable()
      table.bigInteger('first_seen_at').notNullable()
      table.uuid('token_id').unique()
      table.string('device_name', 128)
      table.string('ip', 45)
      table.bigInteger('last_sign_in_at')
      table.bigInteger('password_changed_at')
      table.bigInteger('expires_at')
      table.primary(['user_id', 'fingerprint'])
    })
  }

  async down() {
    this.schema.dropTable('known_devices')
  }
}
