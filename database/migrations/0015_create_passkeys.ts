import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#extendUsers()
    this.#createPasskeys()
    this.#createChallenges()
  }

  #extendUsers() {
    this.schema.alterTable('users', (table) => {
      /** Authenticators know a user by 32 random bytes and learn nothing else. */
      table.string('passkey_handle', 43).unique()
      table.integer('passkey_count').notNullable().defaultTo(0)
    })
  }

  #createPasskeys() {
    this.schema.createTable('passkeys', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      /** At most 1,023 bytes in base64url (WebAuthn, section 4). */
      table.string('credential_id', 1364).notNullable().unique()
      table.text('public_key').notNullable()
      table.bigInteger('counter').notNullable()
      table.string('transports', 100).notNullable()
      table.string('device_type', 16).notNullable()
      table.boolean('backed_up').notNullable()
      table.string('aaguid', 36).notNullable()
      table.string('name', 100).notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('last_used_at')
      table.bigInteger('counter_refused_at')
    })
  }

  /** A challenge for a login has no user yet. */
  #createChallenges() {
    this.schema.createTable('passkey_challenges', (table) => {
      table.string('challenge_hash', 43).primary()
      table.uuid('user_id').references('users.id').onDelete('CASCADE').index()
      table.uuid('session_id')
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  async down() {
    this.schema.dropTable('passkey_challenges')
    this.schema.dropTable('passkeys')
    this.schema.alterTable('users', (table) => table.dropColumns('passkey_handle', 'passkey_count'))
  }
}
