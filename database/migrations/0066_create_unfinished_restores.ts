import { BaseSchema } from '@adonisjs/lucid/schema'

/** One row while a restore runs. A row that is left shows a start that a restore was killed. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('unfinished_restores', (table) => {
      table.integer('id').primary()
      /** The run that wrote the row; only this run may remove it. */
      table.uuid('run_id').notNullable()
      /** The name of its archive. */
      table.string('file', 255).notNullable()
      table.bigInteger('started_at').notNullable()
    })
  }

  async down() {
    this.schema.dropTable('unfinished_restores')
  }
}
