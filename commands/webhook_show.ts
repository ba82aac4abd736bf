import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { DELIVERY_COLUMNS, rowOfDelivery, stateOf } from './_webhook_records.ts'

/** The console has pages with more deliveries. */
const SHOWN = 20

export default class WebhookShow extends OperatorCommand {
  static commandName = 'webhook:show'
  static description = 'Show a webhook and its newest 20 deliveries, with what is wrong'
  static help = [
    'A delivery is pending while a try is left. Why the last try failed:',
    '',
    '  timeout        no answer within 15 seconds',
    '  unreachable    the connection was refused, or broke',
    '  not_found      the name has no address',
    '  not_allowed    a private address, or our own: see OUTBOUND_ALLOWED_NETWORKS',
    '  certificate    the certificate is not valid for the name',
    '  redirect       the answer leads elsewhere: enter that address',
    '  status         another status than 2xx',
    '  gone           410, which disables the webhook',
    '  answer         the answer was not HTTP, or was cut off',
    '  disabled       the webhook was disabled before it was sent',
    '  event_removed  the audit log no longer has the event',
    '  internal       the body could not be composed: see the log of the server',
    '',
    'Examples:',
    '  {{ binaryName }} webhook:show billing.example.org',
    '  {{ binaryName }} webhook:show SIEM --json',
  ]

  @args.string({ description: 'Name or id' })
  declare webhook: string

  async perform() {
    const { listDeliveries } = await import('#webhooks/endpoints')
    const { toRecord } = await import('#webhooks/webhook')
    const { toDeliveryRecord } = await import('#webhooks/deliveries/delivery')
    const { getWebhookByNameOrFail } = await import('#webhooks/webhook_rows')
    const webhook = await getWebhookByNameOrFail(this.webhook)
    const { deliveries } = await listDeliveries(webhook.id, { limit: SHOWN })
    const record = toRecord(webhook)
    if (this.json)
      return this.printRecord({ ...record, deliveries: deliveries.map(toDeliveryRecord) })
    this.printRecord({ ...record, state: stateOf(webhook) })
    if (deliveries.length === 0) return
    process.stdout.write('\n')
    this.print(deliveries.map(rowOfDelivery), DELIVERY_COLUMNS)
  }
}
