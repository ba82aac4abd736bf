import type { Knex } from 'knex'
import { type QueueName } from '#config/queue'
import { openJobs } from './receivers.ts'

const ADVISORY_LOCK = 7_014_383

/** Two processes that count at the same moment would exceed the bound together. */
export async function lockClaims(trx: Knex.Transaction) {
  if (trx.client.config.client !== 'pg') return
  await trx.raw('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK])
}

export async function nextJob(trx: Knex.Transaction, queue: QueueName, now: number) {
  const open = () => openJobs(trx, queue, now).select('id', 'data', 'receiver')
  const delayed = open().where('status', 'delayed').where('execute_at', '<=', now)
  const retried = await delayed.orderBy('execute_at').first()
  return retried ?? (await open().where('status', 'pending').orderBy('score').first())
}
