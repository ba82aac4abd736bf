import type { Knex } from 'knex'
import { JOBS_TABLE, type QueueName } from '#config/queue'
import { selectRows } from '#database/select_rows'
import { claimableJobs, whereClaimable } from './receivers.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const ADVISORY_LOCK = 7_014_383

/** Without the lock, two processes that count at the same time could exceed the bound together. */
export async function lockClaims(trx: Knex.Transaction) {
  if (trx.client.config.client !== 'pg') return
  await trx.raw('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK])
}

export async function nextJob(client: Knex, queue: QueueName, now: number) {
  const delayed = claimableJobs(client, queue, now).where('status', 'delayed')
  const due = delayed.where('execute_at', '<=', now).orderBy('execute_at')
  return (
    (await due.first('id', 'data', 'receiver')) ??
    (await nextOfFirst(client, queue, now)) ??
    nextPending(client, queue, now)
  )
}

/** Jobs to look at first: most receivers are up, and take the oldest job. */
const FIRST_JOBS = 10

function nextOfFirst(client: Knex, queue: QueueName, now: number) {
  const pending = client(JOBS_TABLE).where({ queue, status: 'pending' })
  const first = pending.orderBy('score').limit(FIRST_JOBS).select('id', 'data', 'receiver', 'score')
  const open = client
    .from(first.as('first'))
    .where((job) => whereClaimable(job, { client, queue, now }))
  return open.orderBy('score').first('id', 'data', 'receiver')
}

const IS_PENDING = `queue = :queue AND status = 'pending'`

/** Steps from one receiver to the next along the index, past all jobs that wait for the same one. */
const WAITING = `
  SELECT MIN(receiver) AS receiver FROM ${JOBS_TABLE} WHERE ${IS_PENDING}
  UNION ALL
  SELECT (SELECT MIN(job.receiver) FROM ${JOBS_TABLE} AS job
    WHERE ${IS_PENDING} AND job.receiver > waiting.receiver)
  FROM waiting WHERE waiting.receiver IS NOT NULL`

export async function waitingReceivers(client: QueryClientContract, queue: QueueName) {
  const sql = `WITH RECURSIVE waiting AS (${WAITING})
    SELECT receiver FROM waiting WHERE receiver IS NOT NULL`
  const rows = await selectRows<{ receiver: string }>(client, sql, { queue })
  return rows.map(({ receiver }) => receiver)
}

const FIRST = (isOf: string) =>
  `(SELECT id FROM ${JOBS_TABLE} WHERE ${IS_PENDING} AND receiver ${isOf} ORDER BY score LIMIT 1)`

/** A receiver that is down may have thousands of jobs: only the first one is looked at. */
function nextPending(client: Knex, queue: QueueName, now: number) {
  const first = client
    .withRecursive('waiting', client.raw(WAITING, { queue }))
    .from('waiting')
    .whereNotNull('receiver')
    .select(client.raw(`${FIRST('= waiting.receiver')} AS id`, { queue }))
  const ofReceivers = first.where((named) => whereClaimable(named, { client, queue, now }))
  const ids = ofReceivers.unionAll(
    client.select(client.raw(`${FIRST('IS NULL')} AS id`, { queue }))
  )
  const jobs = client(JOBS_TABLE).where('queue', queue).whereIn('id', ids)
  return jobs.orderBy('score').first('id', 'data', 'receiver')
}
