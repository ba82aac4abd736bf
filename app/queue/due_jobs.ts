import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, STALLED_MS, type QueueName } from '#config/queue'
import { nextJob } from './next_job.ts'

/**
 * A cycle of the library opens seven transactions, which block SQLite while a command writes. One
 * statement tells that a queue is empty, as it is most of the time.
 */
export async function hasDueJobs(queue: QueueName, now = Date.now()) {
  if (!(await hasJobs(queue))) return false
  const next = await nextJob(db.connection().getWriteClient(), queue, now)
  return next !== undefined || hasStalledJobs(queue, now)
}

async function hasJobs(queue: QueueName) {
  return Boolean(await db.from(JOBS_TABLE).where({ queue }).select('id').first())
}

async function hasStalledJobs(queue: QueueName, now: number) {
  const active = db.from(JOBS_TABLE).where({ queue, status: 'active' })
  return Boolean(await active.where('acquired_at', '<', now - STALLED_MS).first())
}
