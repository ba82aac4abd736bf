import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The deliveries of an endpoint are cut from the trail. `cut_sequence` is the last event that was
 * examined. It is null until the event `starts_with` is sealed, and while the endpoint is disabled.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('webhooks', (table) => {
      table.uuid('id').primary()
      table.string('name', 100).notNullable().unique()
      table.text('url').notNullable()
      /** Filters, as JSON. */
      table.text('events').notNullable()
      table.string('description', 500)
      table.text('secret').notNullable()
      table.text('previous_secret')
      table.bigInteger('previous_secret_until')
      table.bigInteger('disabled_at')
      table.string('disabled_reason', 20)
      table.uuid('starts_with')
      table.bigInteger('cut_sequence')
      table.bigInteger('cut_at')
      /** Null after a success. */
      table.bigInteger('first_failure_at')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('updated_at').notNullable()
    })
    /** One process at a time sends to an endpoint, so that no more than two requests reach it. */
    this.schema.createTable('webhook_lanes', (table) => {
      table.uuid('webhook_id').primary()
      table.uuid('holder').notNullable()
      table.bigInteger('held_until').notNullable()
    })
  }

  async down() {
    this.schema.dropTable('webhook_lanes')
    this.schema.dropTable('webhooks')
  }
}
