import { BaseSchema } from '@adonisjs/lucid/schema'

/** The queue library keeps the receiver of a job as its group. */
export default class extends BaseSchema {
  async up() {
    const { receiver, queuedAt } = this.#columns()
    this.schema.raw(`ALTER TABLE queue_jobs ADD COLUMN receiver ${receiver}`)
    this.schema.raw(`ALTER TABLE queue_jobs ADD COLUMN queued_at ${queuedAt}`)
    this.schema.alterTable('queue_jobs', (table) => {
      table.index(['queue', 'receiver', 'status'], 'queue_jobs_receiver')
    })
    this.schema.createTable('queue_receivers', (table) => {
      table.string('queue', 255).notNullable()
      table.string('receiver', 255).notNullable()
      table.integer('failures').notNullable()
      table.bigInteger('paused_until').notNullable()
      table.primary(['queue', 'receiver'])
    })
  }

  async down() {
    this.schema.dropTable('queue_receivers')
    this.schema.alterTable('queue_jobs', (table) => {
      table.dropIndex([], 'queue_jobs_receiver')
    })
    this.schema.raw('ALTER TABLE queue_jobs DROP COLUMN queued_at')
    this.schema.raw('ALTER TABLE queue_jobs DROP COLUMN receiver')
  }

  #columns() {
    if (this.db.dialect.name === 'postgres') {
      return {
        receiver: `varchar(255) GENERATED ALWAYS AS (data::json ->> 'groupId') STORED`,
        queuedAt: `bigint GENERATED ALWAYS AS ((data::json ->> 'createdAt')::bigint) STORED`,
      }
    }
    return {
      receiver: `varchar(255) GENERATED ALWAYS AS (json_extract(data, '$.groupId')) VIRTUAL`,
      queuedAt: `bigint GENERATED ALWAYS AS (json_extract(data, '$.createdAt')) VIRTUAL`,
    }
  }
}
