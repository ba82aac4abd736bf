import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#createKeys()
    this.#createEvents()
    this.#createChain()
    const statements = this.#isServer ? POSTGRES : SQLITE
    for (const statement of [...INDEXES, ...statements]) this.schema.raw(statement)
  }

  get #isServer() {
    return this.db.dialect.name === 'postgres'
  }

  /** Keys of users, and of months for clients without an account. A key goes with its user. */
  #createKeys() {
    this.schema.createTable('audit_keys', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').unique().references('users.id').onDelete('CASCADE')
      table.string('month', 7).unique()
      table.text('secret').notNullable()
      table.bigInteger('created_at').notNullable()
    })

    /** Deleted keys whose lookup hashes are still to be emptied. */
    this.schema.createTable('audit_erasures', (table) => {
      table.uuid('key_id').primary()
      table.uuid('user_id')
      table.string('month', 7)
    })
  }

  #createEvents() {
    this.schema.createTable('audit_events', (table) => {
      table.uuid('id').primary()
      table.bigInteger('occurred_at').notNullable()
      table.string('action', 64).notNullable()
      table.string('outcome', 16).notNullable()
      table.string('actor', 128).notNullable()
      table.uuid('actor_id')
      table.uuid('target_id')
      table.text('details').notNullable()
      table.uuid('origin_key')
      table.text('origin')
      table.uuid('personal_key')
      table.text('personal')
      table.string('mac', 43).notNullable()
      table.bigInteger('sequence').unique()
      table.string('hash', 43)
      table.string('ip_hash', 8)
      table.string('email_hash', 8)
      table.index(['target_id', 'id'])
      table.index(['actor_id', 'id'])
      table.index(['action', 'id'])
      table.index(['occurred_at'])
    })
  }

  #createChain() {
    this.schema.createTable('audit_chain', (table) => {
      table.integer('id').primary()
      table.bigInteger('sequence').notNullable()
      table.string('hash', 43).notNullable()
      table.bigInteger('checkpoint_sequence').notNullable()
      table.string('checkpoint_hash', 43).notNullable()
      table.string('seal', 43).notNullable()
    })

    this.schema.createTable('audit_floods', (table) => {
      table.string('key', 43).primary()
      table.uuid('event_id').notNullable()
      table.bigInteger('ends_at').notNullable().index()
      table.integer('later').notNullable()
    })
  }

  async down() {
    const tables = ['audit_floods', 'audit_chain', 'audit_events', 'audit_keys', 'audit_erasures']
    for (const table of tables) this.schema.dropTable(table)
    if (!this.#isServer) return
    for (const name of ['refuse_audit_change', 'keep_audit_event', 'note_audit_erasure']) {
      this.schema.raw(`DROP FUNCTION ${name}`)
    }
  }
}

const INDEXES = [
  'CREATE INDEX audit_events_unsealed ON audit_events (id) WHERE sequence IS NULL',
  'CREATE INDEX audit_events_ip ON audit_events (ip_hash, id) WHERE ip_hash IS NOT NULL',
  'CREATE INDEX audit_events_email ON audit_events (email_hash, id) WHERE email_hash IS NOT NULL',
]

const FIXED_COLUMNS = `id, occurred_at, action, outcome, actor, actor_id, target_id, details,
  origin_key, origin, personal_key, personal, mac`

const NOT_EMPTIED = 'NEW.ip_hash IS NOT NULL OR NEW.email_hash IS NOT NULL'
const IS_KEPT = `OLD.sequence IS NULL
  OR OLD.sequence > COALESCE((SELECT checkpoint_sequence FROM audit_chain), 0)`

// The database refuses changes of events. A sealer may chain an event one time, an erasure may
// empty its lookup hashes, and retention may delete it up to the checkpoint.
const POSTGRES = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION 'audit events are append-only'; END $$`,
  `CREATE FUNCTION keep_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF ${IS_KEPT} THEN RAISE EXCEPTION 'audit events are append-only'; END IF;
     RETURN OLD;
   END $$`,
  `CREATE FUNCTION note_audit_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO audit_erasures (key_id, user_id, month) VALUES (OLD.id, OLD.user_id, OLD.month);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER audit_events_fixed BEFORE UPDATE OF ${FIXED_COLUMNS} ON audit_events
   FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_events_sealed_once BEFORE UPDATE OF sequence, hash ON audit_events
   FOR EACH ROW WHEN (OLD.sequence IS NOT NULL) EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_events_emptied BEFORE UPDATE OF ip_hash, email_hash ON audit_events
   FOR EACH ROW WHEN (${NOT_EMPTIED}) EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
   FOR EACH ROW EXECUTE FUNCTION keep_audit_event()`,
  `CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events
   FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_keys_erased AFTER DELETE ON audit_keys
   FOR EACH ROW EXECUTE FUNCTION note_audit_erasure()`,
]

const REFUSE = "SELECT RAISE(ABORT, 'audit events are append-only')"

const SQLITE = [
  `CREATE TRIGGER audit_events_fixed BEFORE UPDATE OF ${FIXED_COLUMNS} ON audit_events
   BEGIN ${REFUSE}; END`,
  `CREATE TRIGGER audit_events_sealed_once BEFORE UPDATE OF sequence, hash ON audit_events
   WHEN OLD.sequence IS NOT NULL BEGIN ${REFUSE}; END`,
  `CREATE TRIGGER audit_events_emptied BEFORE UPDATE OF ip_hash, email_hash ON audit_events
   WHEN ${NOT_EMPTIED} BEGIN ${REFUSE}; END`,
  `CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
   WHEN ${IS_KEPT} BEGIN ${REFUSE}; END`,
  `CREATE TRIGGER audit_keys_erased AFTER DELETE ON audit_keys BEGIN
     INSERT INTO audit_erasures (key_id, user_id, month) VALUES (OLD.id, OLD.user_id, OLD.month);
   END`,
]
