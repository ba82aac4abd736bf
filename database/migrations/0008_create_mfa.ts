import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.#createEnrolments()
    this.#createBackupCodes()
    this.#createChallenges()
  }

  #createEnrolments() {
    this.schema.createTable('mfa_enrolments', (table) => {
      table.uuid('user_id').primary().references('users.id').onDelete('CASCADE')
      table.text('secret').notNullable()
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  /** A used code keeps its row, so that an immediate repeat does not count as a wrong guess. */
  #createBackupCodes() {
    this.schema.createTable('mfa_backup_codes', (table) => {
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table.string('code_hash', 43).notNullable()
      table.bigInteger('used_at')
      table.primary(['user_id', 'code_hash'])
    })
  }

  #createChallenges() {
    this.schema.createTable('mfa_challenges', (table) => {
      table.string('token_hash', 43).primary()
      table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      table.string('method', 64).notNullable()
      table.string('ip', 45).notNullable()
      table.string('user_agent', 512)
      table.boolean('is_answered').notNullable().defaultTo(false)
      table.text('identity')
      table.bigInteger('password_changed_at').notNullable()
      table.integer('tries_left').notNullable()
      table.bigInteger('expires_at').notNullable().index()
    })
  }

  async down() {
    this.schema.dropTable('mfa_challenges')
    this.schema.dropTable('mfa_backup_codes')
    this.schema.dropTable('mfa_enrolments')
  }
}
