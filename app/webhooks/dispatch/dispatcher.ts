import { setTimeout as sleep } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { isOutboundPaused } from '#backup/outbound_pause'
import { yieldToEventLoop } from '#database/batches'
import { cutDeliveries } from './cut_deliveries.ts'
import { findWaiting } from './due_deliveries.ts'
import { Lane } from './lane.ts'
import { acquireLane, type LaneLease } from './lane_leases.ts'

/** A poll finds events that another process sealed, and tries that became due. */
const POLL_MS = 1_000

/** A look takes about twenty statements, so events that come one by one share a look. */
const PAUSE_MS = 250

/** Keeps the dispatcher from adding to the load of a failing database. */
const ERROR_DELAY_MS = 2_000

/** Tries that take longer are repeated: a process has little time to end. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Cuts deliveries and sends them. Every process may run a dispatcher: the database lets one at a
 * time cut, and gives each webhook to one of them. Without a webhook it sleeps until it is woken.
 */
export class Dispatcher {
  readonly #lanes = new Map<string, { lane: Lane; end: Promise<void> }>()
  #isStopping = false
  #isRunning = false
  #isWoken = false
  #timer: NodeJS.Timeout | null = null
  #lookedAt = -Infinity
  #isFailing = false

  wake() {
    this.#isWoken = true
    if (!this.#isRunning) this.#runIn(this.#pauseLeft())
  }

  #pauseLeft() {
    return this.#lookedAt + PAUSE_MS - performance.now()
  }

  #runIn(delay: number) {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#isStopping) return
    if (delay <= 0) return void this.#run()
    this.#timer = setTimeout(() => void this.#run(), delay).unref()
  }

  async #run() {
    this.#isRunning = true
    this.#isWoken = false
    this.#lookedAt = performance.now()
    const delay = await this.#lookSafely()
    this.#isRunning = false
    if (this.#isWoken) this.#runIn(this.#pauseLeft())
    else if (delay !== null) this.#runIn(delay)
  }

  /** Returns the delay in milliseconds; null while there is no webhook. */
  async #lookSafely() {
    try {
      const hasWebhooks = await this.look()
      this.#isFailing = false
      return hasWebhooks ? POLL_MS : null
    } catch (error) {
      if (!this.#isFailing) logger.warn({ err: error }, 'deliveries of webhooks were not cut')
      this.#isFailing = true
      return ERROR_DELAY_MS
    }
  }

  /** @returns whether there is a webhook */
  async look() {
    await cutDeliveries()
    const webhooks = await findWaiting(Date.now())
    const due = webhooks.filter(({ id, isDue }) => isDue && !this.#lanes.has(id))
    if (due.length > 0 && !(await isOutboundPaused())) {
      for (const { id } of due) this.#start(await acquireLane(id))
    }
    return webhooks.length > 0
  }

  #start(lease: LaneLease | null) {
    if (!lease) return
    const { webhookId: id } = lease
    const lane = new Lane(lease)
    const end = lane.run().then(() => {
      this.#lanes.delete(id)
      if (lane.hasSent) this.wake()
    })
    this.#lanes.set(id, { lane, end })
  }

  /** Returns as soon as nothing is due. */
  async drain() {
    for (let isDue = true; isDue;) {
      await this.look()
      await this.#finish()
      const webhooks = await findWaiting(Date.now())
      isDue = webhooks.some((webhook) => webhook.isDue) && !(await isOutboundPaused())
      if (isDue) await yieldToEventLoop()
    }
  }

  async #finish() {
    await Promise.all([...this.#lanes.values()].map(({ end }) => end))
  }

  async stop() {
    this.#isStopping = true
    if (this.#timer) clearTimeout(this.#timer)
    for (const { lane } of this.#lanes.values()) lane.stop()
    await Promise.race([this.#finish(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    for (const { lane } of this.#lanes.values()) await lane.release()
  }
}
