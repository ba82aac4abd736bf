import { BaseSchema } from '@adonisjs/lucid/schema'

/** The last sign-in of each user by a provider that gave them memberships, which end later. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('provider_memberships', (table) => {
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('provider', 64).notNullable()
      table.bigInteger('seen_at').notNullable()
      table.primary(['user_id', 'provider'])
      table.index(['provider', 'seen_at'])
    })
  }

  async down() {
    this.schema.dropTable('provider_memberships')
  }
}
