import { BaseSchema } from '@adonisjs/lucid/schema'
import type { Knex } from 'knex'

// A time is a bigint of milliseconds: both databases store it exactly and compare it cheaply
// (docs/decisions.md).
export default class extends BaseSchema {
  async up() {
    this.#createUsers()
    this.#indexUsers()
    this.#createOneTimeTokens()
    this.#createInstallation()
    this.#countVersions()
  }

  #createUsers() {
    this.schema.createTable('users', (table) => {
      table.uuid('id').primary()
      /** A `service` has no password and a placeholder as its address (`app/models/email.ts`). */
      table.string('kind', 16).notNullable().defaultTo('person')
      table.string('email', 254).notNullable().unique()
      table.bigInteger('email_verified_at')
      table.bigInteger('email_changed_at')
      table.string('pending_email', 254)
      table.bigInteger('pending_email_at')
      table.string('username', 100).notNullable()
      table.string('nickname', 100)
      table.string('locale', 35)
      table.text('password')
      table.bigInteger('password_changed_at')
      table.boolean('must_change_password').notNullable().defaultTo(false)
      table.string('role', 32).notNullable().defaultTo('User')
      table.string('avatar', 255)
      table.string('provider', 64)
      table.string('provider_id', 255)
      this.#addMfa(table)
      table.bigInteger('locked_until')
      table.string('lock_kind', 16)
      table.bigInteger('disabled_at')
      table.string('disabled_reason', 500)
      table.bigInteger('last_login_at')
      table.integer('version').notNullable().defaultTo(1)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('updated_at').notNullable()
      table.check("kind = 'person' OR (kind = 'service' AND password IS NULL)", [], 'users_kind')
    })
  }

  #addMfa(table: Knex.CreateTableBuilder) {
    table.boolean('mfa_enabled').notNullable().defaultTo(false)
    table.bigInteger('mfa_enabled_at')
    table.text('mfa_secret')
    table.integer('mfa_last_step')
    table.integer('mfa_failures').notNullable().defaultTo(0)
    table.bigInteger('mfa_locked_until')
    table.bigInteger('mfa_abandoned_at')
  }

  #indexUsers() {
    this.schema.alterTable('users', (table) => {
      table.index(['role', 'id'])
      table.index(['created_at', 'id'])
      table.index(['username', 'id'])
      table.index(['locked_until'])
    })
    this.schema.raw(
      'CREATE INDEX users_pending ON users (pending_email_at) WHERE pending_email_at IS NOT NULL'
    )
    this.schema.raw('CREATE INDEX users_last_login ON users (COALESCE(last_login_at, 0), id)')
  }

  #createOneTimeTokens() {
    this.schema.createTable('one_time_tokens', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('purpose', 32).notNullable()
      table.string('token_hash', 43).notNullable().unique()
      table.string('email', 254)
      table.string('fingerprint', 43)
      table.uuid('mail_id')
      table.bigInteger('caused_at')
      table.bigInteger('expires_at').notNullable().index()
      table.bigInteger('created_at').notNullable()
      table.index(['user_id', 'purpose'])
    })
  }

  #createInstallation() {
    this.schema.createTable('installation', (table) => {
      table.integer('id').primary()
      table.string('setup_token_hash', 43)
      table.bigInteger('completed_at')
      table.bigInteger('docs_opened_at')
      table.bigInteger('checklist_dismissed_at')
    })
  }

  /** A trigger counts for every writer, so a cache cannot serve a record that has changed since. */
  #countVersions() {
    if (this.db.dialect.name === 'postgres') {
      this.schema.raw(`
        CREATE FUNCTION raise_user_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.version := OLD.version + 1; RETURN NEW; END $$`)
      this.schema.raw(`
        CREATE TRIGGER users_version BEFORE UPDATE ON users
        FOR EACH ROW EXECUTE FUNCTION raise_user_version()`)
      return
    }
    this.schema.raw(`
      CREATE TRIGGER users_version AFTER UPDATE ON users WHEN NEW.version = OLD.version
      BEGIN UPDATE users SET version = OLD.version + 1 WHERE id = NEW.id; END`)
  }

  async down() {
    this.schema.dropTable('installation')
    this.schema.dropTable('one_time_tokens')
    this.schema.dropTable('users')
    if (this.db.dialect.name === 'postgres') this.schema.raw('DROP FUNCTION raise_user_version')
  }
}
