import { BaseSchema } from '@adonisjs/lucid/schema'
import { QueueSchemaService } from '@boringnode/queue'

export default class extends BaseSchema {
  #queue = new QueueSchemaService(this.db.getWriteClient())

  async up() {
    this.schema.createTable('mails', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').references('users.id').onDelete('SET NULL')
      table.string('kind', 32).notNullable()
      table.string('recipient', 254).notNullable()
      table.text('payload')
      table.string('budget', 16)
      table.string('status', 16).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.string('last_error', 500)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('sent_at')
      table.index(['status', 'id'])
      table.index(['user_id', 'id'])
      table.index(['recipient', 'id'])
    })
    this.defer(() => this.#queue.createJobsTable())
    this.defer(() => this.#queue.createSchedulesTable())
  }

  async down() {
    this.schema.dropTable('mails')
    this.defer(() => this.#queue.dropSchedulesTable())
    this.defer(() => this.#queue.dropJobsTable())
  }
}
