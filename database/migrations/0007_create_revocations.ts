import { BaseSchema } from '@adonisjs/lucid/schema'

const CHANGES = [
  ['users', 'id', 'UPDATE'],
  ['users', 'id', 'DELETE'],
  ['revocations', 'user_id', 'INSERT'],
]

/** A log of what ended before it expired. Redis stores sessions (`database/change_watch.ts`). */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('revocations', (table) => {
      table.uuid('session_id').notNullable()
      table.string('token_id', 80).notNullable()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.bigInteger('expires_at').notNullable().index()
      table.primary(['session_id', 'token_id'])
    })
    if (this.db.dialect.name === 'postgres') this.#collectChangedUsers()
  }

  /** The setting lasts until the transaction ends. */
  #collectChangedUsers() {
    for (const [table, column, event] of CHANGES) {
      const name = `collect_${table}_${event.toLowerCase()}`
      this.#createCollector(name, column)
      this.schema.raw(`
        CREATE TRIGGER ${name} AFTER ${event} ON ${table}
        REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`)
    }
  }

  #createCollector(name: string, column: string) {
    this.schema.raw(`
        CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE changed text;
        BEGIN
          SELECT string_agg(DISTINCT ${column}::text, ',') INTO changed FROM changed_rows;
          IF changed IS NOT NULL THEN
            PERFORM set_config('gatehouse.changed_users',
              concat_ws(',', nullif(current_setting('gatehouse.changed_users', true), ''), changed),
              true);
          END IF;
          RETURN NULL;
        END $$`)
  }

  async down() {
    this.schema.dropTable('revocations')
  }
}
