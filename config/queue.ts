import app from '@adonisjs/core/services/app'
import { defineConfig, drivers } from '@adonisjs/queue'

/** The table of the jobs and the one queue in it. */
export const JOBS_TABLE = 'queue_jobs'
export const MAIL_QUEUE = 'mails'

/** How long a mail that another process queued, such as a command, may wait; ours wake the worker. */
export const POLL_MS = 800

/** A worker that has given no sign of life for so long was killed: another takes what it had in hand. */
export const STALLED_MS = 15_000

/**
 * Jobs live in the database whichever store holds the sessions: they are written in
 * the transaction of the change that causes them, so neither can be lost without the other.
 *
 * - `maxStalledCount`: the queue deletes a job that stalled more often. Never: a mail that
 *   met many crashes still has to arrive.
 * - `gracefulShutdown`: the order in which the process ends is `start/lifecycle.ts`.
 */
export default defineConfig({
  default: 'database',
  adapters: { database: drivers.database({ tableName: JOBS_TABLE }) },
  worker: {
    concurrency: 3,
    idleDelay: POLL_MS,
    stalledInterval: '5s',
    stalledThreshold: STALLED_MS,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    gracefulShutdown: false,
  },
  locations: [app.makePath('app/jobs/**/*.{ts,js}')],
})
