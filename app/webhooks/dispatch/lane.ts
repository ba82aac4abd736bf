import { setTimeout as sleep } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { isOutboundPaused } from '#backup/outbound_pause'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { findDue } from './due_deliveries.ts'
import { Endpoint } from './endpoint.ts'
import { LEASE_MS, releaseLane, renewLane, type LaneLease } from './lane_leases.ts'
import { composeMessages } from './messages.ts'
import { ChunkSender } from './chunk_sender.ts'

/** Number of deliveries that a few statements read, compose and save. */
export const CHUNK_SIZE = 100

/** While a try waits for its answer, the lane looks for others this often. */
const LOOK_MS = 250

/** Sends the due deliveries of one webhook, two at the same time. Each webhook has its own lane. */
export class Lane {
  readonly #id: string
  readonly #lease: LaneLease
  readonly #sender = new ChunkSender(limits.deliveriesAtOnce)
  #isStopping = false
  hasSent = false

  constructor(lease: LaneLease) {
    this.#id = lease.webhookId
    this.#lease = lease
  }

  stop() {
    this.#isStopping = true
    this.#sender.stop()
  }

  async run() {
    const renewal = setInterval(() => void this.#renew(), LEASE_MS / 4).unref()
    try {
      let isMoreDue = true
      while (!this.#isStopping && isMoreDue) isMoreDue = await this.#sendChunk()
      await this.#sender.finish()
    } catch (error) {
      logger.warn({ err: error, webhookId: this.#id }, 'deliveries of a webhook stopped')
    } finally {
      clearInterval(renewal)
      await this.release()
    }
  }

  /** Releases the lease, so that another process sends the remaining deliveries. */
  async release() {
    await releaseLane(this.#lease).catch(() => {})
  }

  async #renew() {
    const isHeld = await renewLane(this.#lease).catch(() => true)
    if (!isHeld) this.stop()
  }

  /** @returns whether more may be due */
  async #sendChunk() {
    if (this.#sender.isFull) return this.#wait()
    if (await isOutboundPaused()) return false
    const webhook = await findWebhookRow(this.#id)
    const due = webhook ? await this.#findDue() : []
    if (!webhook || due.length === 0) return this.#wait()
    const queue = await composeMessages(due)
    const isBacklog = due.length === CHUNK_SIZE
    const sent = this.#sender.send(new Endpoint(webhook), { queue, isBacklog })
    await Promise.race([sent, this.#sender.waitForPlace().then(pause)])
    this.hasSent = true
    return isBacklog || queue.length > 0 || this.#sender.isSending
  }

  /** A delivery stays due until the outcome of its try is saved. */
  async #findDue() {
    const { taken } = this.#sender
    const due = await findDue(this.#id, CHUNK_SIZE + taken.size, Date.now())
    return due.filter(({ id }) => !taken.has(id)).slice(0, CHUNK_SIZE)
  }

  /** @returns false if nothing is being sent */
  async #wait() {
    if (!this.#sender.isSending) return false
    await Promise.race([this.#sender.finish(), pause()])
    return true
  }
}

const pause = () => sleep(LOOK_MS, undefined, { ref: false })
