import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * One row for each endpoint and event, without a body. It has no foreign key, because the rows of a
 * deleted endpoint are deleted in batches. Only a pending delivery has a next try.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('webhook_deliveries', (table) => {
      table.uuid('id').primary()
      table.uuid('webhook_id').notNullable()
      table.uuid('event_id').notNullable()
      /** Null until the event is sealed. */
      table.bigInteger('sequence')
      table.string('type', 64).notNullable()
      table.string('status', 16).notNullable()
      table.integer('attempts').notNullable()
      table.integer('response_status')
      table.integer('duration_ms')
      table.string('error', 40)
      table.bigInteger('next_attempt_at')
      table.bigInteger('created_at').notNullable().index()
      table.unique(['webhook_id', 'event_id'], { indexName: 'webhook_deliveries_event' })
      table.index(['webhook_id', 'id'], 'webhook_deliveries_newest')
      table.index(['webhook_id', 'status', 'id'], 'webhook_deliveries_status')
    })
    this.schema.raw(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, sequence)
       WHERE next_attempt_at IS NOT NULL`
    )
  }

  async down() {
    this.schema.dropTable('webhook_deliveries')
  }
}
