import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, STALLED_MS, type QueueName } from '#config/queue'

/**
 * Whether the queue has a job to run: new, due for another try, or stalled.
 *
 * The worker asks before it starts a cycle of the library, which opens seven transactions.
 * On SQLite each of them waits for the writer's lock and blocks the whole process while a
 * command writes.
 */
export async function hasDueJobs(queue: QueueName, now = Date.now()) {
  const due = await db
    .from(JOBS_TABLE)
    .where('queue', queue)
    .where((job) =>
      job
        .where('status', 'pending')
        .orWhere((delayed) => delayed.where('status', 'delayed').where('execute_at', '<=', now))
        .orWhere((active) =>
          active.where('status', 'active').where('acquired_at', '<', now - STALLED_MS)
        )
    )
    .first()
  return Boolean(due)
}
