import app from '@adonisjs/core/services/app'
import { defineConfig, drivers } from '@adonisjs/queue'
import limits from './limits.ts'

/** Mails have their own queue, because a slow application must not delay them. */
export const JOBS_TABLE = 'queue_jobs'
export const MAIL_QUEUE = 'mails'
export const LOGOUT_QUEUE = 'logouts'
export const CLIENT_QUEUE = 'clients'

export type QueueName = typeof MAIL_QUEUE | typeof LOGOUT_QUEUE | typeof CLIENT_QUEUE

/** Queues whose jobs send messages out of the installation; the other queue deletes. */
export const OUTBOUND_QUEUES: QueueName[] = [MAIL_QUEUE, LOGOUT_QUEUE]

/** The limit of concurrent jobs for each queue. */
export const JOBS_AT_ONCE = {
  mails: 'mailJobs',
  logouts: 'logoutJobs',
  clients: 'clientJobs',
} as const

export const POLL_MS = 800

/** A worker without a heartbeat was killed, and another one takes over its jobs. */
export const STALLED_MS = 15_000

/** The transaction of a change writes its jobs, so that a crash keeps both or neither. */
export default defineConfig({
  default: 'database',
  adapters: { database: drivers.database({ tableName: JOBS_TABLE }) },
  worker: {
    concurrency: limits.mailJobs,
    idleDelay: POLL_MS,
    stalledInterval: '5s',
    stalledThreshold: STALLED_MS,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    gracefulShutdown: false,
  },
  locations: [app.makePath('app/**/*_job.{ts,js}')],
})
