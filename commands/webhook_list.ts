import { OperatorCommand } from './_operator_command.ts'
import { rowOfWebhook, WEBHOOK_COLUMNS } from './_webhook_records.ts'

export default class WebhookList extends OperatorCommand {
  static commandName = 'webhook:list'
  static description = 'List webhooks by name, with what is wrong'
  static help = [
    'Examples:',
    '  {{ binaryName }} webhook:list',
    '  {{ binaryName }} webhook:list --json',
  ]

  async perform() {
    const { listWebhooks } = await import('#webhooks/webhook_rows')
    const { toRecord } = await import('#webhooks/webhook')
    const webhooks = await listWebhooks()
    if (this.json) return this.printJson(webhooks.map(toRecord))
    this.print(webhooks.map(rowOfWebhook), WEBHOOK_COLUMNS)
  }
}
