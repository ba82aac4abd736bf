import { BaseSchema } from '@adonisjs/lucid/schema'

/** Rows instead of files: every process serves them, and a transaction can replace one. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('avatars', (table) => {
      table.string('name', 64).primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.binary('image').notNullable()
      table.bigInteger('created_at').notNullable()
    })
  }

  async down() {
    this.schema.dropTable('avatars')
  }
}
