import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, STALLED_MS, type QueueName } from '#config/queue'
import { nextJob } from './next_job.ts'

/** A cycle of the library opens seven transactions, which block SQLite while a command writes. */
export async function hasDueJobs(queue: QueueName, now = Date.now()) {
  const next = await nextJob(db.connection().getWriteClient(), queue, now)
  return next !== undefined || hasStalledJobs(queue, now)
}

async function hasStalledJobs(queue: QueueName, now: number) {
  const active = db.from(JOBS_TABLE).where({ queue, status: 'active' })
  return Boolean(await active.where('acquired_at', '<', now - STALLED_MS).first())
}
