import limits from '#config/limits'
import { outboundAgent } from '#network/outbound_agent'
import { postOutbound } from '#network/outbound_post'
import { createSigner } from '#webhooks/signature'
import { secretsOf, type WebhookRow } from '#webhooks/webhook'

/** What the tries of a chunk share: connections to the address, and the secrets that sign. */
export class Endpoint {
  #opened: ReturnType<typeof open> | null = null

  constructor(readonly webhook: WebhookRow) {}

  /** @returns the status of the answer @throws what `postOutbound` throws */
  async post(eventId: string, body: string) {
    this.#opened ??= open(this.webhook)
    const { url, agent, sign } = await this.#opened
    const signature = sign(body, { id: eventId, timestamp: Date.now() })
    const headers = { 'content-type': 'application/json', 'user-agent': 'Gatehouse', ...signature }
    const { status } = await postOutbound(url, { headers, body, ...limits.delivery }, agent)
    return status
  }

  async close() {
    const opened = await this.#opened?.catch(() => null)
    opened?.agent.destroy()
  }
}

async function open(webhook: WebhookRow) {
  const sign = await createSigner(secretsOf(webhook))
  const url = new URL(webhook.url)
  const { deadlineMs } = limits.delivery
  return { url, sign, agent: outboundAgent(url, { deadlineMs, keepAlive: true }) }
}
