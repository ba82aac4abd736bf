import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    /** At most one row: while it is there, a restored copy sends nothing. */
    this.schema.createTable('outbound_pauses', (table) => {
      table.smallint('id').primary()
      table.string('reason', 200).notNullable()
      table.bigInteger('paused_at').notNullable()
    })

    /** One row: the process that makes a backup, and the outcome of the last backups. */
    this.schema.createTable('backup_state', (table) => {
      table.smallint('id').primary()
      table.uuid('run_id')
      table.bigInteger('run_until')
      table.bigInteger('first_made_at')
      table.bigInteger('made_at')
      table.bigInteger('verified_at')
      table.bigInteger('failed_at')
      table.string('failure', 300)
      table.bigInteger('mailed_at')
    })

    /** The archives that `BACKUP_EVERY` made; only some of them are kept. */
    this.schema.createTable('backup_files', (table) => {
      table.string('name', 100).primary()
      table.string('host', 255).notNullable()
      table.bigInteger('made_at').notNullable()
    })
  }

  async down() {
    for (const table of ['backup_files', 'backup_state', 'outbound_pauses']) {
      this.schema.dropTable(table)
    }
  }
}
