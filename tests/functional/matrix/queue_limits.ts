import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { JOBS_AT_ONCE, JOBS_TABLE, type QueueName } from '#config/queue'
import DeleteClient from '#oidc/clients/deletion/deletion_job'
import { inTransaction } from '#queue/in_transaction'
import { pruneMessages } from '#queue/prune_messages'
import { QueueWorker } from '#queue/worker'
import { until } from '#tests/support/waiting'
import type { LimitRow } from './limits.ts'

/* How many jobs of a queue run at the same time while all of them hang. */

const { execute } = DeleteClient.prototype

/** Long enough for a worker to start one more job. */
const SILENCE_MS = 100

function queueJobs(queue: QueueName, count: number, receiver: string | null) {
  return db.transaction(async (trx) => {
    await trx.from(JOBS_TABLE).where({ queue }).delete()
    for (let number = 1; number <= count; number++) {
      const job = DeleteClient.dispatch({ clientId: 'none' }).toQueue(queue)
      if (receiver) job.group(receiver)
      await job.with(inTransaction(trx)).run()
    }
  })
}

function atOnce(queue: QueueName, limit: () => number, receiver: string | null = null): LimitRow {
  return {
    isAllowed: async (count) => {
      const { promise: end, resolve: release } = Promise.withResolvers<void>()
      let running = 0
      DeleteClient.prototype.execute = () => {
        running++
        return end
      }
      await queueJobs(queue, count, receiver)
      const worker = new QueueWorker(queue)
      worker.start()
      await until(() => running >= Math.min(count, limit()))
      await sleep(SILENCE_MS)
      const isAllowed = running === count
      release()
      await worker.stop()
      DeleteClient.prototype.execute = execute
      await db.from(JOBS_TABLE).where({ queue }).delete()
      return isAllowed
    },
  }
}

export const QUEUE_LIMITS = {
  mailJobs: atOnce('mails', () => limits[JOBS_AT_ONCE.mails]),
  logoutJobs: atOnce('logouts', () => limits[JOBS_AT_ONCE.logouts]),
  clientJobs: atOnce('clients', () => limits[JOBS_AT_ONCE.clients]),
  waitingMessages: {
    lowered: 3,
    isAllowed: async (count) => {
      await queueJobs('logouts', count, 'an application that is down')
      const removed = await pruneMessages()
      await db.from(JOBS_TABLE).where({ queue: 'logouts' }).delete()
      return removed === 0
    },
  },
  receiverJobs: atOnce('logouts', () => limits.receiverJobs.limit, 'an application that hangs'),
} satisfies Partial<Record<keyof typeof limits, LimitRow>>
