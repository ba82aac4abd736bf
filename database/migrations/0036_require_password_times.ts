import { BaseSchema } from '@adonisjs/lucid/schema'

const REFUSE = `SELECT RAISE(ABORT, 'NOT NULL constraint failed: users.password_changed_at')`

/**
 * A sign-in compares this time with the time that it read, so each user needs one. SQLite cannot
 * add a constraint without copying the table, so triggers replace it.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(
      'UPDATE users SET password_changed_at = created_at WHERE password_changed_at IS NULL'
    )
    if (this.db.dialect.name === 'postgres')
      this.schema.raw('ALTER TABLE users ALTER COLUMN password_changed_at SET NOT NULL')
    else this.#refuseOnSqlite()
  }

  #refuseOnSqlite() {
    for (const [name, event] of [
      ['insert', 'INSERT'],
      ['update', 'UPDATE OF password_changed_at'],
    ]) {
      this.schema.raw(`
        CREATE TRIGGER users_password_time_${name} BEFORE ${event} ON users
        WHEN NEW.password_changed_at IS NULL BEGIN ${REFUSE}; END`)
    }
  }

  async down() {
    if (this.db.dialect.name === 'postgres')
      this.schema.raw('ALTER TABLE users ALTER COLUMN password_changed_at DROP NOT NULL')
    else {
      this.schema.raw('DROP TRIGGER users_password_time_insert')
      this.schema.raw('DROP TRIGGER users_password_time_update')
    }
  }
}
