import { BaseSchema } from '@adonisjs/lucid/schema'

/** Sign-ins to applications that wait until the user has confirmed the address. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('address_codes', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.uuid('web_session_id').notNullable()
      table.string('client_id', 255).notNullable()
      table.string('waiting_hash', 64).notNullable()
      table.text('return_path').notNullable()
      table.string('device_name', 255).notNullable()
      table.string('email', 254).notNullable()
      table.bigInteger('mailed_at')
      table.string('code_hash', 64)
      table.bigInteger('code_expires_at')
      table.integer('tries').notNullable().defaultTo(0)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.unique(['web_session_id', 'client_id'])
    })
  }

  async down() {
    this.schema.dropTable('address_codes')
  }
}
