import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.createTable('audit_chains', (table) => {
      table.integer('chain').primary()
      table.integer('last_sequence').notNullable()
      table.string('last_hash', 43).notNullable()
      table.string('seal', 43).notNullable()
    })

    this.schema.createTable('audit_events', (table) => {
      table.uuid('id').primary()
      table.integer('chain').notNullable()
      table.integer('sequence').notNullable()
      table.bigInteger('occurred_at').notNullable()
      table.string('action', 64).notNullable()
      table.string('outcome', 16).notNullable()
      table.string('actor', 128).notNullable()
      table.uuid('actor_id')
      table.uuid('target_id')
      table.string('ip', 45)
      table.string('user_agent', 512)
      table.text('details').notNullable()
      table.string('previous_hash', 43).notNullable()
      table.string('hash', 43).notNullable()
      table.unique(['chain', 'sequence'])
      table.index(['target_id', 'id'])
      table.index(['actor_id', 'id'])
      table.index(['action', 'id'])
      table.index(['occurred_at'])
    })

    /** Refusals that are counted until their window ends (`app/audit/floods.ts`). */
    this.schema.createTable('audit_floods', (table) => {
      table.string('key', 43).primary()
      table.uuid('event_id').notNullable()
      table.bigInteger('ends_at').notNullable().index()
      table.integer('later').notNullable()
    })

    this.#forbidChanges()
  }

  /** The trail is append-only: the database itself refuses to change or remove an event. */
  #forbidChanges() {
    if (this.db.dialect.name === 'postgres') {
      this.schema.raw(`
        CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'audit events are append-only'; END $$`)
      this.schema.raw(`
        CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`)
      return
    }
    for (const change of ['UPDATE', 'DELETE']) {
      this.schema.raw(`
        CREATE TRIGGER audit_events_no_${change.toLowerCase()} BEFORE ${change} ON audit_events
        BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`)
    }
  }

  async down() {
    this.schema.dropTable('audit_floods')
    this.schema.dropTable('audit_events')
    this.schema.dropTable('audit_chains')
    if (this.db.dialect.name === 'postgres') this.schema.raw('DROP FUNCTION refuse_audit_change')
  }
}
