import { BaseSchema } from '@adonisjs/lucid/schema'

/** Names between commas, such as `,brand,backup,`. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('installation', (table) => void table.string('skipped_steps', 255))
  }

  async down() {
    this.schema.alterTable('installation', (table) => void table.dropColumn('skipped_steps'))
  }
}
