import type { ApplicationService } from '@adonisjs/core/types'
import type { Dispatcher } from '#webhooks/dispatch/dispatcher'

const WATCH_MS = 15_000

/** The dispatcher is loaded as soon as there is a webhook, and sleeps without webhooks. */
export default class WebhooksProvider {
  #dispatcher: Dispatcher | null = null
  #isStopped = false

  constructor(protected app: ApplicationService) {}

  /** Runs in commands as well, because they also remove old events. */
  async boot() {
    const { setRemovalLimit } = await import('#audit/chain/retention')
    setRemovalLimit(async (trx, before) => {
      const { findLastRemovable } = await import('#webhooks/dispatch/cursors')
      return findLastRemovable(trx, before)
    })
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { onSealed } = await import('#audit/chain/sealer')
    const { onWake } = await import('#webhooks/wake')
    const wake = () => void this.#wake()
    onSealed(wake)
    onWake(wake)
    wake()
    setInterval(() => void this.#watch(), WATCH_MS).unref()
  }

  async #wake() {
    if (this.#dispatcher) return this.#dispatcher.wake()
    if (await this.#hasWebhooks()) await this.#start()
  }

  async #hasWebhooks() {
    const { hasWebhooks } = await import('#webhooks/has_webhooks')
    return hasWebhooks().catch(() => false)
  }

  async #start() {
    const { Dispatcher: Loaded } = await import('#webhooks/dispatch/dispatcher')
    if (this.#isStopped) return
    this.#dispatcher ??= new Loaded()
    this.#dispatcher.wake()
  }

  /** Also finds the deliveries that a killed process left. */
  async #watch() {
    if (!(await this.#hasWebhooks())) return
    await this.#wake()
    const { watchDispatch } = await import('#webhooks/dispatch/stall')
    await watchDispatch().catch(() => {})
  }

  async shutdown() {
    this.#isStopped = true
    await this.#dispatcher?.stop()
  }
}
