import { BaseSchema } from '@adonisjs/lucid/schema'

/** The Redis of the last start: another Redis may still contain sessions that have ended. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('installation', (table) => void table.string('redis_id', 36))
  }

  async down() {
    this.schema.alterTable('installation', (table) => void table.dropColumn('redis_id'))
  }
}
