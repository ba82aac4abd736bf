import { BaseSchema } from '@adonisjs/lucid/schema'

// Trigrams and counts keep lists quick at a million users. Triggers update both in the transaction
// of a change, so that no writer can forget them.
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('user_counts', (table) => {
      table.integer('shard').notNullable()
      table.string('role', 32).notNullable()
      table.bigInteger('total').notNullable()
      table.primary(['shard', 'role'])
    })
    const isServer = this.db.dialect.name === 'postgres'
    for (const statement of isServer ? POSTGRES : SQLITE) this.schema.raw(statement)
  }

  async down() {
    const isServer = this.db.dialect.name === 'postgres'
    for (const statement of isServer ? POSTGRES_DOWN : SQLITE_DOWN) this.schema.raw(statement)
    this.schema.dropTable('user_counts')
  }
}

/**
 * Counts are spread over 32 rows, so that concurrent registrations do not wait for one row. A
 * database role that may not create pg_trgm searches the whole table.
 */
const POSTGRES = [
  `CREATE FUNCTION add_user_total(of_role text, change bigint) RETURNS void LANGUAGE sql AS $$
     INSERT INTO user_counts AS known (shard, role, total)
     VALUES (pg_backend_pid() % 32, of_role, change)
     ON CONFLICT (shard, role) DO UPDATE SET total = known.total + excluded.total $$`,
  `CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM add_user_total(role, count(*) * TG_ARGV[0]::int) FROM changed GROUP BY role;
     RETURN NULL; END $$`,
  `CREATE FUNCTION move_user_total() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM add_user_total(OLD.role, -1);
     PERFORM add_user_total(NEW.role, 1);
     RETURN NULL; END $$`,
  `CREATE TRIGGER users_added AFTER INSERT ON users REFERENCING NEW TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_users('1')`,
  `CREATE TRIGGER users_removed AFTER DELETE ON users REFERENCING OLD TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_users('-1')`,
  `CREATE TRIGGER users_role AFTER UPDATE OF role ON users FOR EACH ROW
     WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION move_user_total()`,
  `DO $$ BEGIN
     CREATE EXTENSION IF NOT EXISTS pg_trgm;
     CREATE INDEX users_names ON users USING gin
       ((email || chr(10) || username || chr(10) || COALESCE(nickname, '')) gin_trgm_ops);
   EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
     RAISE NOTICE 'pg_trgm is not available';
   END $$`,
]

const POSTGRES_DOWN = [
  'DROP INDEX IF EXISTS users_names',
  'DROP TRIGGER users_role ON users',
  'DROP TRIGGER users_removed ON users',
  'DROP TRIGGER users_added ON users',
  'DROP FUNCTION move_user_total()',
  'DROP FUNCTION count_users()',
  'DROP FUNCTION add_user_total(text, bigint)',
]

/** Given the deleted names, the index removes their trigrams immediately (`secure-delete`). */
const REMOVE_NAMES = `INSERT INTO user_names (user_names, rowid, email, username, nickname)
       SELECT 'delete', key, OLD.email, OLD.username, OLD.nickname FROM user_names_keys
       WHERE user_id = OLD.id;`

/**
 * VACUUM may change a rowid, so the index has its own keys. The index removes a deleted user
 * immediately, and not only when segments merge.
 */
const SQLITE = [
  'CREATE TABLE user_names_keys (key INTEGER PRIMARY KEY, user_id TEXT NOT NULL UNIQUE)',
  `CREATE VIRTUAL TABLE user_names USING fts5(
     email, username, nickname,
     content = '', tokenize = 'trigram', detail = 'none')`,
  `INSERT INTO user_names (user_names, rank) VALUES ('secure-delete', 1)`,
  `CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
     INSERT INTO user_names_keys (user_id) VALUES (NEW.id);
     INSERT INTO user_names (rowid, email, username, nickname)
       SELECT key, NEW.email, NEW.username, NEW.nickname FROM user_names_keys WHERE user_id = NEW.id;
     INSERT INTO user_counts (shard, role, total) VALUES (0, NEW.role, 1)
       ON CONFLICT (shard, role) DO UPDATE SET total = total + 1;
   END`,
  `CREATE TRIGGER users_removed AFTER DELETE ON users BEGIN
     ${REMOVE_NAMES}
     DELETE FROM user_names_keys WHERE user_id = OLD.id;
     UPDATE user_counts SET total = total - 1 WHERE role = OLD.role;
   END`,
  `CREATE TRIGGER users_renamed AFTER UPDATE OF email, username, nickname ON users
   WHEN (OLD.email, OLD.username, OLD.nickname) IS NOT (NEW.email, NEW.username, NEW.nickname)
   BEGIN
     ${REMOVE_NAMES}
     INSERT INTO user_names (rowid, email, username, nickname)
       SELECT key, NEW.email, NEW.username, NEW.nickname FROM user_names_keys WHERE user_id = NEW.id;
   END`,
  `CREATE TRIGGER users_role AFTER UPDATE OF role ON users WHEN OLD.role <> NEW.role BEGIN
     UPDATE user_counts SET total = total - 1 WHERE role = OLD.role;
     INSERT INTO user_counts (shard, role, total) VALUES (0, NEW.role, 1)
       ON CONFLICT (shard, role) DO UPDATE SET total = total + 1;
   END`,
]

const SQLITE_DOWN = [
  'DROP TRIGGER users_role',
  'DROP TRIGGER users_renamed',
  'DROP TRIGGER users_removed',
  'DROP TRIGGER users_added',
  'DROP TABLE user_names',
  'DROP TABLE user_names_keys',
]
