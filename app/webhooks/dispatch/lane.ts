import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { isOutboundPaused } from '#backup/outbound_pause'
import { findWebhookRow } from '#webhooks/webhook_rows'
import type { WebhookRow } from '#webhooks/webhook'
import { findDue } from './due_deliveries.ts'
import { LEASE_MS, releaseLane, renewLane, type LaneLease } from './lane_leases.ts'
import { composeMessages, type Message } from './messages.ts'
import { saveRegularly } from './save_regularly.ts'
import { sendMessage, type Outcome } from './send_message.ts'

/** Read, composed and saved by a few statements. */
const CHUNK_SIZE = 50

/** A body that is older is composed again: its user may be erased, or the webhook changed. */
const FRESH_MS = 2_000

/** Sends what is due to one webhook, two at once. Others have lanes of their own. */
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
      while (!this.#isStopping && (await this.#sendChunk())) this.hasSent = true
    } catch (error) {
      logger.warn({ err: error, webhookId: this.#id }, 'deliveries of a webhook stopped')
    } finally {
      clearInterval(renewal)
      await this.release()
    }
  }

  /** Another process sends what is left. */
  async release() {
    await releaseLane(this.#lease).catch(() => {})
  }

  async #renew() {
    const isHeld = await renewLane(this.#lease).catch(() => true)
    if (!isHeld) this.stop()
  }

  async #sendChunk() {
    if (await isOutboundPaused()) return false
    const webhook = await findWebhookRow(this.#id)
    const due = webhook ? await findDue(this.#id, CHUNK_SIZE, Date.now()) : []
    if (!webhook || due.length === 0) return false
    const queue = await composeMessages(due)
    const unsaved: Outcome[] = []
    const saving = saveRegularly(webhook, unsaved)
    const end = performance.now() + FRESH_MS
    const isOver = () => this.#isStopping || performance.now() > end
    const senders = Array.from({ length: limits.deliveriesAtOnce }, () =>
      sendAll({ webhook, queue, isOver }, unsaved)
    )
    await Promise.all(senders)
    await saving.finish()
    return true
  }
}

interface Chunk {
  webhook: WebhookRow
  /** In order. */
  queue: Message[]
  isOver: () => boolean
}

async function sendAll({ webhook, queue, isOver }: Chunk, unsaved: Outcome[]) {
  for (let message = queue.shift(); message; message = isOver() ? undefined : queue.shift()) {
    unsaved.push(await sendMessage(webhook, message))
  }
}
