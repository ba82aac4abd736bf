import { BaseSchema } from '@adonisjs/lucid/schema'
import { unversionTable, versionTable } from '#database/configuration_triggers'

/** Processes hold the names of groups in memory, but not the number of members. */
const GROUPS = { table: 'groups', columns: ['name', 'title'] }

export default class extends BaseSchema {
  async up() {
    versionTable(this, GROUPS)
  }

  async down() {
    unversionTable(this, GROUPS)
  }
}
