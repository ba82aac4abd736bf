import app from '@adonisjs/core/services/app'
import { defineConfig, drivers } from '@adonisjs/queue'

/** The table of the jobs and the queues in it: a slow application must not delay a mail. */
export const JOBS_TABLE = 'queue_jobs'
export const MAIL_QUEUE = 'mails'
export const LOGOUT_QUEUE = 'logouts'
/** Deletions of clients, each of which may take minutes. */
export const CLIENT_QUEUE = 'clients'

export type QueueName = typeof MAIL_QUEUE | typeof LOGOUT_QUEUE | typeof CLIENT_QUEUE

/** Jobs at once in a process. Logouts mostly wait: for applications, some of which are down. */
export const CONCURRENCY: Record<QueueName, number> = { mails: 3, logouts: 20, clients: 1 }

/**
 * For one receiver of a queue, such as an application. While it is down it holds two slots of
 * a process at most, is tried once a minute in the end, and its messages wait for a day.
 */
export const RECEIVERS = {
  atOnce: 2,
  firstPauseMs: 2_000,
  longestPauseMs: 60_000,
  lifetimeMs: 86_400_000,
}

/** How long a job of another process, such as a command, may wait; this process wakes its worker. */
export const POLL_MS = 800

/** A worker without a heartbeat for so long was killed, and another takes over its jobs. */
export const STALLED_MS = 15_000

/**
 * Jobs live in the database whichever store holds the sessions: they are written in
 * the transaction of the change that causes them, so that a crash cannot keep one and lose
 * the other.
 *
 * - `maxStalledCount`: the queue deletes a job that stalled more often. No job does, because
 *   a mail has to arrive however many crashes interrupted its delivery.
 * - `gracefulShutdown`: `app/http/lifecycle.ts` decides the order in which the process ends.
 */
export default defineConfig({
  default: 'database',
  adapters: { database: drivers.database({ tableName: JOBS_TABLE }) },
  worker: {
    concurrency: CONCURRENCY[MAIL_QUEUE],
    idleDelay: POLL_MS,
    stalledInterval: '5s',
    stalledThreshold: STALLED_MS,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    gracefulShutdown: false,
  },
  locations: [app.makePath('app/**/*_job.{ts,js}')],
})
