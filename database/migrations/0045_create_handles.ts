import { BaseSchema } from '@adonisjs/lucid/schema'
import { keepPlainUsernames, makeOtherHandles } from '#database/backfill_handles'

const INVALID = `NEW.handle IS NULL OR length(NEW.handle) > 63 OR
  NEW.handle NOT GLOB '[a-z0-9]*' OR NEW.handle GLOB '*[^a-z0-9._-]*'`

/**
 * Applications name accounts by the handle. Nothing waits for these changes of a million users, and
 * no cache contains handles yet. The triggers of a change are therefore off during the migration.
 */
export default class extends BaseSchema {
  async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    this.schema.alterTable('users', (table) => {
      table.string('handle', 63)
      /** When an application first received the handle. */
      table.bigInteger('handle_received_at')
    })
    for (const statement of isPostgres ? BEFORE_POSTGRES : BEFORE_SQLITE) this.schema.raw(statement)
    this.defer((db) => keepPlainUsernames(db))
    this.defer((db) => makeOtherHandles(db))
    this.schema.raw('CREATE UNIQUE INDEX users_handle ON users (handle)')
    for (const statement of isPostgres ? AFTER_POSTGRES : AFTER_SQLITE) this.schema.raw(statement)
  }

  async down() {
    const isPostgres = this.db.dialect.name === 'postgres'
    for (const statement of isPostgres ? DOWN_POSTGRES : DOWN_SQLITE) this.schema.raw(statement)
    this.schema.raw('DROP INDEX users_handle')
    this.schema.dropTable('handles')
    /** The schema builder copies the table on SQLite, without its triggers. */
    for (const column of ['handle', 'handle_received_at'])
      this.schema.raw(`ALTER TABLE users DROP COLUMN ${column}`)
  }
}

/** Drops the search index, which each change would write to: migration 0046 creates it again. */
const BEFORE_POSTGRES = [
  'CREATE TABLE handles (hash varchar(22) PRIMARY KEY, user_id uuid)',
  'DROP INDEX IF EXISTS users_names',
  'ALTER TABLE users DISABLE TRIGGER USER',
]

/** A process of an earlier release adds users without a handle, and so may other tools. */
const AFTER_POSTGRES = [
  'ALTER TABLE users ENABLE TRIGGER USER',
  `CREATE FUNCTION default_handle() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN NEW.handle := 'user-' || replace(NEW.id::text, '-', ''); RETURN NEW; END $$`,
  `CREATE TRIGGER users_default_handle BEFORE INSERT ON users FOR EACH ROW
   WHEN (NEW.handle IS NULL) EXECUTE FUNCTION default_handle()`,
  `ALTER TABLE users ALTER COLUMN handle SET NOT NULL,
   ADD CONSTRAINT users_handle_form CHECK (handle ~ '^[a-z0-9][a-z0-9._-]{0,62}$')`,
  `ALTER TABLE handles ADD FOREIGN KEY (user_id) REFERENCES users (id)
   ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED`,
  'CREATE INDEX handles_user_id ON handles (user_id)',
]

const DOWN_POSTGRES = [
  'ALTER TABLE users DROP CONSTRAINT users_handle_form',
  'DROP TRIGGER users_default_handle ON users',
  'DROP FUNCTION default_handle()',
]

const COUNT_VERSION = `CREATE TRIGGER users_version AFTER UPDATE ON users WHEN NEW.version = OLD.version
  BEGIN
    UPDATE users SET version = OLD.version + 1, version_id = lower(hex(randomblob(16)))
    WHERE id = NEW.id;
  END`

const BEFORE_SQLITE = [
  `CREATE TABLE handles (
     hash TEXT NOT NULL PRIMARY KEY,
     user_id TEXT REFERENCES users (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
   ) WITHOUT ROWID`,
  'DROP TRIGGER users_version',
]

/** SQLite cannot add a constraint without copying the table, so triggers replace it. */
const AFTER_SQLITE = [
  COUNT_VERSION,
  `CREATE TRIGGER users_default_handle AFTER INSERT ON users WHEN NEW.handle IS NULL
   BEGIN UPDATE users SET handle = 'user-' || replace(NEW.id, '-', '') WHERE id = NEW.id; END`,
  ...['INSERT', 'UPDATE OF handle'].map(
    (event) => `CREATE TRIGGER users_handle_${event.slice(0, 6).toLowerCase()}
      BEFORE ${event} ON users
      WHEN ${event === 'INSERT' ? 'NEW.handle IS NOT NULL AND ' : ''}(${INVALID})
      BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: users_handle_form'); END`
  ),
  'CREATE INDEX handles_user_id ON handles (user_id)',
]

const DOWN_SQLITE = [
  'DROP TRIGGER users_handle_insert',
  'DROP TRIGGER users_handle_update',
  'DROP TRIGGER users_default_handle',
]
