import type { Knex } from 'knex'
import limits from '#config/limits'
import { JOBS_TABLE, type QueueName } from '#config/queue'

const TABLE = 'queue_receivers'

export interface Receiver {
  queue: QueueName
  receiver: string
}

export function claimableJobs(client: Knex, queue: QueueName, now: number) {
  const jobs = client(JOBS_TABLE).where('queue', queue)
  return jobs.where((job) => whereClaimable(job, { client, queue, now }))
}

interface JobFilter {
  client: Knex
  queue: QueueName
  now: number
}

/** Selects jobs without a receiver, or with one that is neither paused nor busy. */
export function whereClaimable(job: Knex.QueryBuilder, { client, queue, now }: JobFilter) {
  return job
    .whereNull('receiver')
    .orWhere((named) =>
      named
        .whereNotIn('receiver', pausedReceivers(client, queue, now))
        .whereNotIn('receiver', busyReceivers(client, queue))
    )
}

function pausedReceivers(client: Knex, queue: QueueName, now: number) {
  return client(TABLE).where('queue', queue).where('paused_until', '>', now).select('receiver')
}

function busyReceivers(client: Knex, queue: QueueName) {
  return client(JOBS_TABLE)
    .where({ queue, status: 'active' })
    .whereNotNull('receiver')
    .groupBy('receiver')
    .havingRaw('count(*) >= ?', [limits.receiverJobs.limit])
    .select('receiver')
}

/** Each consecutive failure doubles the pause. Jobs that failed concurrently count as one. */
export async function pauseReceiver(client: Knex, { queue, receiver }: Receiver) {
  const now = Date.now()
  await client.transaction(async (trx) => {
    const row = await trx(TABLE).where({ queue, receiver }).forUpdate().first()
    if (row && Number(row.paused_until) > now) return
    const failures = (row?.failures ?? 0) + 1
    const changes = { failures, paused_until: now + pauseAfter(failures) }
    const insert = trx(TABLE).insert({ queue, receiver, ...changes })
    await insert.onConflict(['queue', 'receiver']).merge(changes)
  })
}

function pauseAfter(failures: number) {
  const { firstPauseMs, longestPauseMs } = limits.receiverJobs
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
}

/** Ignores a job that began before the last failure: one slow answer would end each pause. */
export async function resumeReceiver(
  client: Knex,
  { queue, receiver }: Receiver,
  acquiredAt: number
) {
  const row = await client(TABLE).where({ queue, receiver }).first()
  if (!row) return
  const { failures, paused_until: until } = row
  const failedAt = Number(until) - pauseAfter(failures)
  if (acquiredAt >= failedAt)
    await client(TABLE).where({ queue, receiver, paused_until: until }).delete()
}
