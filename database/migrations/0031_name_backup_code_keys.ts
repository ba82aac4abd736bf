import { BaseSchema } from '@adonisjs/lucid/schema'

/** The entry of `MFA_ENCRYPTION_KEYS` that hashed a code; null for a code of an earlier version. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('mfa_backup_codes', (table) => table.string('key_id', 8))
  }

  async down() {
    this.schema.alterTable('mfa_backup_codes', (table) => table.dropColumn('key_id'))
  }
}
