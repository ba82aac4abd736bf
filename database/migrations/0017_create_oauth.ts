import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#createClients()
    this.#createConsents()
    this.#createRecords()
  }

  #createClients() {
    this.schema.createTable('oauth_clients', (table) => {
      table.uuid('id').primary()
      table.string('client_id', 24).notNullable().unique()
      table.string('name', 100).notNullable()
      table.string('kind', 11).notNullable()
      table.text('redirect_uris').notNullable()
      table.text('post_logout_redirect_uris').notNullable()
      table.text('grant_types').notNullable()
      table.text('scopes').notNullable()
      table.string('token_endpoint_auth_method', 19).notNullable()
      table.text('backchannel_logout_uri')
      /** The user of `client_credentials`. */
      table.uuid('service_account_id').references('users.id').onDelete('SET NULL').index()
      table.string('secret_hash', 43)
      table.string('former_secret_hash', 43)
      table.bigInteger('former_secret_until')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('updated_at').notNullable()
    })
  }

  #createConsents() {
    this.schema.createTable('oauth_consents', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table
        .string('client_id', 24)
        .notNullable()
        .references('oauth_clients.client_id')
        .onDelete('CASCADE')
        .index()
      table.text('scopes').notNullable()
      table.text('resources').notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('updated_at').notNullable()
      table.unique(['user_id', 'client_id'])
    })
  }

  /** The id is a hash of the token, so that a leak of the table reveals no token. */
  #createRecords() {
    this.schema.createTable('oauth_records', (table) => {
      table.string('kind', 40).notNullable()
      table.string('id_hash', 43).notNullable()
      table.text('payload').notNullable()
      /** A grant is a session, and both have the same id. */
      table.string('grant_id', 64).index()
      table.string('client_id', 255).index()
      table.uuid('user_id').references('users.id').onDelete('CASCADE').index()
      /** The browser session in which a user gave a grant. */
      table.uuid('web_session_id').index()
      table.string('user_code_hash', 43).unique()
      table.bigInteger('consumed_at')
      table.bigInteger('expires_at').notNullable().index()
      table.primary(['kind', 'id_hash'])
    })
  }

  async down() {
    for (const table of ['oauth_records', 'oauth_consents', 'oauth_clients']) {
      this.schema.dropTable(table)
    }
  }
}
