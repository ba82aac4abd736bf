import { setTimeout as wait } from 'node:timers/promises'
import { args } from '@adonisjs/core/ace'
import { EXIT } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { DELIVERY_COLUMNS, rowOfDelivery } from './_webhook_records.ts'

/** A receiver has 15 seconds, and a server takes two seconds to begin. */
const TRIES = 80
const PAUSE_MS = 250

export default class WebhookTest extends OperatorCommand {
  static commandName = 'webhook:test'
  static description = 'Send a test to a webhook, and wait for the answer'
  static help = [
    'A running server sends an event of the type webhook.test, whatever the filters are, even to a',
    'disabled webhook. Exits with 1 if the receiver did not accept it.',
    '',
    'Examples:',
    '  {{ binaryName }} webhook:test billing.example.org',
  ]

  @args.string({ description: 'Name or id' })
  declare webhook: string

  async perform() {
    const { getWebhookByNameOrFail } = await import('#webhooks/webhook_rows')
    const { testWebhook } = await import('#webhooks/endpoints')
    const { id } = await getWebhookByNameOrFail(this.webhook)
    const eventId = await testWebhook(id, this.actor)
    const delivery = await this.#outcomeOf({ webhookId: id, eventId })
    if (!delivery || delivery.attempts === 0) {
      this.tell('It is queued, and no server has sent it yet: does one run?')
      this.exitCode = EXIT.unavailable
      return
    }
    if (delivery.status !== 'delivered') this.exitCode = EXIT.failed
    const { toDeliveryRecord } = await import('#webhooks/deliveries/delivery')
    if (this.json) return this.printRecord(toDeliveryRecord(delivery))
    this.print([rowOfDelivery(delivery)], DELIVERY_COLUMNS)
  }

  async #outcomeOf(test: { webhookId: string; eventId: string }) {
    const { findDeliveryOf } = await import('#webhooks/endpoints')
    for (let tries = 0; ; tries++) {
      const delivery = await findDeliveryOf(test)
      if (!delivery || delivery.attempts > 0 || tries === TRIES) return delivery
      await wait(PAUSE_MS)
    }
  }
}
