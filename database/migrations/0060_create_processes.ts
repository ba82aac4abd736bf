import { BaseSchema } from '@adonisjs/lucid/schema'

/** One row for each running process, which writes `seen_at` by the clock of the database. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('processes', (table) => {
      table.uuid('id').primary()
      table.string('version', 40).notNullable()
      table.string('host', 255).notNullable()
      table.string('role', 16).notNullable()
      table.bigInteger('started_at').notNullable()
      table.bigInteger('seen_at').notNullable().index()
      table.text('settings')
    })
  }

  async down() {
    this.schema.dropTable('processes')
  }
}
