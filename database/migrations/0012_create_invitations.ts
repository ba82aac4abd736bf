import { BaseSchema } from '@adonisjs/lucid/schema'

// `invited_at` distinguishes an invited user from an imported user without a password.
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('users', (table) => {
      table.bigInteger('invited_at')
    })
    this.schema.raw(`
      UPDATE users SET invited_at = created_at
      WHERE id IN (SELECT target_id FROM audit_events WHERE action = 'account.invited')`)
    this.schema.raw('DROP INDEX users_list_invited')
    this.schema.raw(`
      CREATE INDEX users_list_invited ON users (id)
      WHERE invited_at IS NOT NULL AND password IS NULL AND provider IS NULL
      AND last_login_at IS NULL`)
    this.schema.raw('CREATE INDEX users_role_created ON users (role, created_at, id)')
    this.schema.raw('CREATE INDEX users_mfa_created ON users (mfa_enabled, created_at, id)')
  }

  async down() {
    this.schema.raw('DROP INDEX users_mfa_created')
    this.schema.raw('DROP INDEX users_role_created')
    this.schema.raw('DROP INDEX users_list_invited')
    this.schema.alterTable('users', (table) => {
      table.dropColumn('invited_at')
    })
    this.schema.raw(`
      CREATE INDEX users_list_invited ON users (id)
      WHERE password IS NULL AND provider IS NULL AND last_login_at IS NULL`)
  }
}
