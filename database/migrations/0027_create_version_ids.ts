import { BaseSchema } from '@adonisjs/lucid/schema'

const FUNCTION = 'raise_user_version()'

/**
 * A counter repeats its numbers after a failover that loses commits, and a cache would take an old
 * record for the current one. Processes of an older release still read `version`.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('users', (table) => {
      table.uuid('version_id').notNullable().defaultTo('00000000-0000-0000-0000-000000000000')
    })
    if (this.db.dialect.name === 'postgres') this.#randomizeOnPostgres()
    else this.#randomizeOnSqlite()
  }

  /** A user whom a failover has lost may be added again under the same id. */
  #randomizeOnPostgres() {
    this.schema.raw(`
      CREATE OR REPLACE FUNCTION ${FUNCTION} RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN NEW.version := OLD.version + 1; END IF;
        NEW.version_id := gen_random_uuid();
        RETURN NEW;
      END $$`)
    this.schema.raw(`
      CREATE TRIGGER users_first_version BEFORE INSERT ON users
      FOR EACH ROW EXECUTE FUNCTION ${FUNCTION}`)
  }

  /** Restoring an older file stops the process, so no cached record remains in memory. */
  #randomizeOnSqlite() {
    this.schema.raw('DROP TRIGGER users_version')
    this.schema.raw(`
      CREATE TRIGGER users_version AFTER UPDATE ON users WHEN NEW.version = OLD.version
      BEGIN
        UPDATE users SET version = OLD.version + 1, version_id = lower(hex(randomblob(16)))
        WHERE id = NEW.id;
      END`)
  }

  async down() {
    if (this.db.dialect.name === 'postgres') {
      this.schema.raw('DROP TRIGGER users_first_version ON users')
      this.schema.raw(`
        CREATE OR REPLACE FUNCTION ${FUNCTION} RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.version := OLD.version + 1; RETURN NEW; END $$`)
    } else {
      this.schema.raw('DROP TRIGGER users_version')
      this.schema.raw(`
        CREATE TRIGGER users_version AFTER UPDATE ON users WHEN NEW.version = OLD.version
        BEGIN UPDATE users SET version = OLD.version + 1 WHERE id = NEW.id; END`)
    }
    this.schema.alterTable('users', (table) => table.dropColumn('version_id'))
  }
}
