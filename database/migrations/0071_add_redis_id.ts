import { BaseSchema } from '@adonisjs/lucid/schema'

/** Which Redis the last start had: another one may have sessions that ended meanwhile. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('installation', (table) => void table.string('redis_id', 36))
  }

  async down() {
    this.schema.alterTable('installation', (table) => void table.dropColumn('redis_id'))
  }
}
