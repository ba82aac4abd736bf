import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, STALLED_MS, type QueueName } from '#config/queue'
import { openJobs } from './receivers.ts'

/** A cycle of the library opens seven transactions, which block SQLite while a command writes. */
export async function hasDueJobs(queue: QueueName, now = Date.now()) {
  return (await hasOpenJobs(queue, now)) || (await hasStalledJobs(queue, now))
}

async function hasOpenJobs(queue: QueueName, now: number) {
  const open = openJobs(db.connection().getWriteClient(), queue, now)
  const due = open.where((job) =>
    job
      .where('status', 'pending')
      .orWhere((delayed) => delayed.where('status', 'delayed').where('execute_at', '<=', now))
  )
  return Boolean(await due.first('id'))
}

async function hasStalledJobs(queue: QueueName, now: number) {
  const active = db.from(JOBS_TABLE).where({ queue, status: 'active' })
  return Boolean(await active.where('acquired_at', '<', now - STALLED_MS).first())
}
