import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#createIdentities()
    this.#createStates()
    this.#createLogins()
  }

  /** Issuer and subject identify a user at a provider: an e-mail can pass to another user. */
  #createIdentities() {
    this.schema.createTable('identities', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('provider', 64).notNullable()
      table.string('issuer', 255).notNullable()
      table.string('subject', 255).notNullable()
      table.string('email', 254)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('last_used_at').notNullable()
      table.unique(['issuer', 'subject'])
    })
  }

  #createStates() {
    this.schema.createTable('external_states', (table) => {
      table.string('state_hash', 43).primary()
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  #createLogins() {
    this.schema.createTable('external_logins', (table) => {
      table.string('code_hash', 43).primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('provider', 64).notNullable()
      table.text('identity').notNullable()
      table.bigInteger('password_changed_at').notNullable()
      table.string('code_challenge', 43)
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  async down() {
    this.schema.dropTable('external_logins')
    this.schema.dropTable('external_states')
    this.schema.dropTable('identities')
  }
}
