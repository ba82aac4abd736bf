import { defineConfig, drivers } from '@adonisjs/queue'

/**
 * Jobs live in the database whichever store holds the sessions: they are written in
 * the transaction of the change that causes them, so neither can be lost without the other.
 */
export default defineConfig({
  default: 'database',
  adapters: { database: drivers.database({ tableName: 'queue_jobs' }) },
  worker: { concurrency: 4, idleDelay: '500ms', gracefulShutdown: false },
  locations: ['./app/jobs/**/*.{ts,js}'],
})
