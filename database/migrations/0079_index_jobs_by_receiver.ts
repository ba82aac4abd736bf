import { BaseSchema } from '@adonisjs/lucid/schema'

const COLUMNS = ['queue', 'status', 'receiver', 'score', 'id']
const NAME = 'queue_jobs_waiting'

/** A claim finds the next job of each receiver, and skips the other jobs. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('queue_jobs', (table) => table.index(COLUMNS, NAME))
  }

  async down() {
    this.schema.alterTable('queue_jobs', (table) => table.dropIndex(COLUMNS, NAME))
  }
}
