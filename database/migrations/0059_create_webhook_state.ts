import { BaseSchema } from '@adonisjs/lucid/schema'

/** One row: when administrators were last told that no deliveries are cut. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('webhook_state', (table) => {
      table.integer('id').primary()
      table.bigInteger('told_at').notNullable()
    })
    this.defer(async (db) => {
      await db.table('webhook_state').insert({ id: 1, told_at: 0 })
    })
  }

  async down() {
    this.schema.dropTable('webhook_state')
  }
}
