import { BaseSchema } from '@adonisjs/lucid/schema'

/** A user who was deleted and imported again had the same first version, and the cached record. */
export default class extends BaseSchema {
  async up() {
    if (this.db.dialect.name === 'postgres') return
    this.schema.raw(`
      CREATE TRIGGER users_first_version AFTER INSERT ON users
      BEGIN
        UPDATE users SET version = NEW.version + 1, version_id = lower(hex(randomblob(16)))
        WHERE id = NEW.id;
      END`)
  }

  async down() {
    if (this.db.dialect.name === 'postgres') return
    this.schema.raw('DROP TRIGGER users_first_version')
  }
}
