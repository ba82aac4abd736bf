import { BaseSchema } from '@adonisjs/lucid/schema'
import { unversionTable, versionTable } from '#database/configuration_triggers'

const TABLES = [
  { table: 'oauth_clients' },
  { table: 'client_deletions' },
  {
    table: 'signing_keys',
    /** Omits `tokens_until`, which changes every few seconds. */
    columns: ['number', 'private_key', 'signs_from', 'revoked_at'],
  },
]

/** One row: the version of clients and keys, which processes hold in memory. */
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('configuration_version', (table) => {
      table.smallint('id').primary()
      table.uuid('version').notNullable()
    })
    const isPostgres = this.db.dialect.name === 'postgres'
    const random = isPostgres ? 'gen_random_uuid()' : 'lower(hex(randomblob(16)))'
    this.schema.raw(`INSERT INTO configuration_version (id, version) VALUES (1, ${random})`)
    if (isPostgres) this.#createFunctions()
    for (const table of TABLES) versionTable(this, table)
  }

  /** The settings last until the transaction ends, which needs only one new version. */
  #createFunctions() {
    this.schema.raw(`
      CREATE FUNCTION note_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('gatehouse.changed_configuration', 'yes', true);
        RETURN NULL;
      END $$`)
    this.schema.raw(`
      CREATE FUNCTION renew_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('gatehouse.renewed_configuration', true) = 'yes' THEN
          RETURN NULL;
        END IF;
        UPDATE configuration_version SET version = gen_random_uuid();
        PERFORM set_config('gatehouse.renewed_configuration', 'yes', true);
        RETURN NULL;
      END $$`)
  }

  async down() {
    for (const table of TABLES) unversionTable(this, table)
    this.schema.dropTable('configuration_version')
    if (this.db.dialect.name !== 'postgres') return
    this.schema.raw('DROP FUNCTION note_configuration()')
    this.schema.raw('DROP FUNCTION renew_configuration()')
  }
}
