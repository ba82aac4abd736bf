import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { isOutboundPaused } from '#backup/outbound_pause'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { findDue } from './due_deliveries.ts'
import { Endpoint } from './endpoint.ts'
import { LEASE_MS, releaseLane, renewLane, type LaneLease } from './lane_leases.ts'
import { composeMessages } from './messages.ts'
import { saveRegularly } from './save_regularly.ts'
import { sendInOrder, type Chunk } from './send_in_order.ts'
import type { Outcome } from './send_message.ts'

/** Number of deliveries that a few statements read, compose and save. */
export const CHUNK_SIZE = 100

/** An older body is composed again, because its user may be erased or the webhook changed. */
const FRESH_MS = 2_000

/** Sends the due deliveries of one webhook, two at the same time. Each webhook has its own lane. */
export class Lane {
  readonly #id: string
  readonly #lease: LaneLease
  #isStopping = false
  hasSent = false

  constructor(lease: LaneLease) {
    this.#id = lease.webhookId
    this.#lease = lease
  }

  stop() {
    this.#isStopping = true
  }

  async run() {
    const renewal = setInterval(() => void this.#renew(), LEASE_MS / 4).unref()
    try {
      let isMoreDue = true
      while (!this.#isStopping && isMoreDue) isMoreDue = await this.#sendChunk()
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
    if (await isOutboundPaused()) return false
    const webhook = await findWebhookRow(this.#id)
    const due = webhook ? await findDue(this.#id, CHUNK_SIZE, Date.now()) : []
    if (!webhook || due.length === 0) return false
    const queue = await composeMessages(due)
    const isBacklog = due.length === CHUNK_SIZE
    await this.#sendAll(new Endpoint(webhook), { queue, isBacklog })
    this.hasSent = true
    return isBacklog || queue.length > 0
  }

  async #sendAll(endpoint: Endpoint, chunk: Chunk) {
    const unsaved: Outcome[] = []
    const saving = saveRegularly(endpoint.webhook, unsaved)
    const end = performance.now() + FRESH_MS
    const isOver = () => this.#isStopping || performance.now() > end
    const senders = Array.from({ length: limits.deliveriesAtOnce }, () =>
      sendInOrder(endpoint, { ...chunk, isOver }, unsaved)
    )
    await Promise.all(senders)
    await endpoint.close()
    await saving.finish()
  }
}
