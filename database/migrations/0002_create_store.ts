import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#createSessions()
    this.#createRevokedTokens()
    this.#createLoginAttempts()
    this.#createRateLimits()
  }

  #createSessions() {
    this.schema.createTable('sessions', (table) => {
      table.uuid('id').primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('device_id', 128).notNullable()
      table.string('device_name', 128).notNullable()
      table.string('ip', 45).notNullable()
      table.string('user_agent', 512)
      table.string('refresh_hash', 43).notNullable()
      table.string('previous_refresh_hash', 43)
      table.bigInteger('rotated_at')
      table.string('method', 64).notNullable()
      table.string('amr', 64).notNullable()
      table.bigInteger('authenticated_at').notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('last_activity_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.index(['user_id', 'created_at', 'id'])
      table.index(['last_activity_at', 'id'])
    })
    this.schema.raw(`
      CREATE UNIQUE INDEX sessions_device ON sessions (user_id, device_id)
      WHERE device_id <> 'default'`)
  }

  #createRevokedTokens() {
    this.schema.createTable('revoked_tokens', (table) => {
      table.string('token_id', 80).primary()
      table.uuid('session_id').notNullable().references('sessions.id').onDelete('CASCADE').index()
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  #createLoginAttempts() {
    this.schema.createTable('login_attempts', (table) => {
      table.string('count_key', 43).primary()
      table.integer('attempts').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.bigInteger('locked_until')
    })
  }

  #createRateLimits() {
    this.schema.createTable('rate_limits', (table) => {
      table.string('key', 255).primary()
      table.integer('points').notNullable().defaultTo(0)
      table.bigInteger('expire').index()
    })
  }

  async down() {
    for (const table of ['rate_limits', 'login_attempts', 'revoked_tokens', 'sessions']) {
      this.schema.dropTable(table)
    }
  }
}
