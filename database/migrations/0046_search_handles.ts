import { BaseSchema } from '@adonisjs/lucid/schema'

const NAMES = ['email', 'username', 'nickname']

/** Creates the index of migration 0011 and its triggers again, with the handle. */
export default class extends BaseSchema {
  async up() {
    this.#index([...NAMES, 'handle'])
  }

  async down() {
    this.#index(NAMES)
  }

  #index(names: string[]) {
    const isPostgres = this.db.dialect.name === 'postgres'
    for (const statement of isPostgres ? postgres(names) : sqlite(names)) this.schema.raw(statement)
  }
}

/** A role that may not create pg_trgm searches the whole table. */
function postgres(names: string[]) {
  const text = names
    .map((name) => (name === 'nickname' ? "COALESCE(nickname, '')" : name))
    .join(' || chr(10) || ')
  return [
    'DROP INDEX IF EXISTS users_names',
    `DO $$ BEGIN
       CREATE INDEX users_names ON users USING gin ((${text}) gin_trgm_ops);
     EXCEPTION WHEN undefined_object THEN
       RAISE NOTICE 'pg_trgm is not available';
     END $$`,
  ]
}

function sqlite(names: string[]) {
  const columns = names.join(', ')
  const [before, after] = ['OLD', 'NEW'].map((row) => names.map((name) => `${row}.${name}`).join())
  const of = (id: string) => `FROM user_names_keys WHERE user_id = ${id}`
  const remove = `INSERT INTO user_names (user_names, rowid, ${columns})
    SELECT 'delete', key, ${before} ${of('OLD.id')};`
  const add = `INSERT INTO user_names (rowid, ${columns}) SELECT key, ${after} ${of('NEW.id')};`
  const copy = `INSERT INTO user_names (rowid, ${columns})
    SELECT key, ${columns} FROM user_names_keys JOIN users ON users.id = user_id`
  return [
    ...['added', 'removed', 'renamed'].map((name) => `DROP TRIGGER users_${name}`),
    'DROP TABLE user_names',
    `CREATE VIRTUAL TABLE user_names USING fts5(
       ${columns}, content = '', tokenize = 'trigram', detail = 'none')`,
    `INSERT INTO user_names (user_names, rank) VALUES ('secure-delete', 1)`,
    `${copy} ORDER BY key`,
    // Reads the row, because another trigger may set the handle before or after this one.
    `CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
       INSERT INTO user_names_keys (user_id) VALUES (NEW.id);
       ${copy} WHERE user_id = NEW.id;
       INSERT INTO user_counts (shard, role, total) VALUES (0, NEW.role, 1)
         ON CONFLICT (shard, role) DO UPDATE SET total = total + 1;
     END`,
    `CREATE TRIGGER users_removed AFTER DELETE ON users BEGIN
       ${remove}
       DELETE FROM user_names_keys WHERE user_id = OLD.id;
       UPDATE user_counts SET total = total - 1 WHERE role = OLD.role;
     END`,
    `CREATE TRIGGER users_renamed AFTER UPDATE OF ${columns} ON users
     WHEN (${before}) IS NOT (${after}) BEGIN
       ${remove}
       ${add}
     END`,
  ]
}
