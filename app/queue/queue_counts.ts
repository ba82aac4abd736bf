import db from '@adonisjs/lucid/services/db'
import { JOBS_AT_ONCE, JOBS_TABLE, type QueueName } from '#config/queue'

export interface QueueCounts {
  queue: QueueName
  waiting: number
  active: number
  /** Milliseconds since the epoch; null for an empty queue. */
  oldestAt: number | null
  /** Receivers that failed and are paused for a time. */
  paused: number
}

/** SQLite reads the time of a job from its JSON, so that no more jobs than this are read. */
export const MAX_COUNT = 10_000

const QUEUES = Object.keys(JOBS_AT_ONCE) as QueueName[]

export function countQueues(): Promise<QueueCounts[]> {
  return Promise.all(QUEUES.map(countQueue))
}

async function countQueue(queue: QueueName): Promise<QueueCounts> {
  const [waiting, active, paused] = await Promise.all([
    countJobs(queue, ['pending', 'delayed']),
    countJobs(queue, ['active']),
    countPaused(queue),
  ])
  const ages = [waiting.oldestAt, active.oldestAt].filter((age) => age !== null)
  const oldestAt = ages.length > 0 ? Math.min(...ages) : null
  return { queue, waiting: waiting.total, active: active.total, oldestAt, paused }
}

async function countJobs(queue: QueueName, statuses: string[]) {
  const some = db.from(JOBS_TABLE).where('queue', queue).whereIn('status', statuses)
  const rows = some.select('queued_at').limit(MAX_COUNT).as('some')
  const [row] = await db.from(rows).count('* as total').min('queued_at as oldest')
  return { total: Number(row.total), oldestAt: row.oldest === null ? null : Number(row.oldest) }
}

async function countPaused(queue: QueueName) {
  const paused = db.from('queue_receivers').where('queue', queue)
  const [row] = await paused.where('paused_until', '>', Date.now()).count('* as total')
  return Number(row.total)
}
