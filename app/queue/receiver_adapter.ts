import logger from '@adonisjs/core/services/logger'
import { KnexAdapter } from '@boringnode/queue/drivers/knex_adapter'
import type { Knex } from 'knex'
import { JOBS_TABLE, LOGOUT_QUEUE, type QueueName } from '#config/queue'
import { deleteExpiredMessages } from './prune_messages.ts'
import { pauseReceiver, resumeReceiver } from './receivers.ts'
import type { AcquiredJob } from '@boringnode/queue/types'
import { lockClaims, nextJob } from './next_job.ts'

/** A slow receiver must not delay others: each has a bound, and a pause after a failure. */
export class ReceiverAdapter extends KnexAdapter {
  #client: Knex
  #workerId = ''
  #claimed = new Map<string, { receiver: string; acquiredAt: number }>()

  constructor(client: Knex) {
    super({ connection: client, tableName: JOBS_TABLE })
    this.#client = client
  }

  override setWorkerId(workerId: string) {
    this.#workerId = workerId
    super.setWorkerId(workerId)
  }

  #asked = 0
  #emptyUpTo = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Claims one job at a time, because the worker asks for all its free slots together. */
  override popFrom(queue: string): Promise<AcquiredJob | null> {
    if (queue !== LOGOUT_QUEUE) return super.popFrom(queue)
    const number = ++this.#asked
    const claim = this.#turn.then(() => (number > this.#emptyUpTo ? this.#claim(queue) : null))
    this.#turn = claim.catch(() => {})
    return claim
  }

  async #claim(queue: QueueName) {
    const asked = this.#asked
    const job = await this.#client.transaction((trx) => this.#claimIn(trx, queue))
    if (!job) this.#emptyUpTo = asked
    return job
  }

  async #claimIn(trx: Knex.Transaction, queue: QueueName) {
    const now = Date.now()
    await lockClaims(trx)
    const row = await nextJob(trx, queue, now)
    if (!row) return null
    const changes = { status: 'active', worker_id: this.#workerId, acquired_at: now }
    const claimed = { ...changes, score: null, execute_at: null }
    await trx(JOBS_TABLE).where({ id: row.id, queue }).update(claimed)
    const { id, receiver } = row
    if (receiver !== null) this.#claimed.set(id, { receiver, acquiredAt: now })
    return { ...JSON.parse(row.data), acquiredAt: now } as AcquiredJob
  }

  override async completeJob(...args: Parameters<KnexAdapter['completeJob']>) {
    await this.#release(args, resumeReceiver)
    return super.completeJob(...args)
  }

  override async failJob(...args: Parameters<KnexAdapter['failJob']>) {
    await this.#release(args, pause)
    return super.failJob(...args)
  }

  override async retryJob(...args: Parameters<KnexAdapter['retryJob']>) {
    await this.#release(args, pause)
    return super.retryJob(...args)
  }

  async #release([jobId, queue]: [string, string, ...unknown[]], then: typeof resumeReceiver) {
    const claimed = this.#claimed.get(jobId)
    if (!claimed) return
    this.#claimed.delete(jobId)
    const { receiver, acquiredAt } = claimed
    await then(this.#client, { queue: queue as QueueName, receiver }, acquiredAt)
  }
}

async function pause(client: Knex, of: Parameters<typeof pauseReceiver>[1]) {
  await pauseReceiver(client, of)
  const count = await deleteExpiredMessages(of)
  if (count > 0) logger.warn({ ...of, count }, 'messages were given up: their receiver is down')
}
