import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { rowOfWebhook, WEBHOOK_COLUMNS } from './_webhook_records.ts'

export default class WebhookDelete extends OperatorCommand {
  static commandName = 'webhook:delete'
  static description = 'Delete a webhook, which gets nothing any more'
  static help = [
    'To pause a webhook, disable it in the console or by PUT /webhooks/:id.',
    '',
    'Examples:',
    '  {{ binaryName }} webhook:delete billing.example.org',
    '  {{ binaryName }} webhook:delete SIEM --yes',
  ]

  @args.string({ description: 'Name or id' })
  declare webhook: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { getWebhookByNameOrFail } = await import('#webhooks/webhook_rows')
    const { deleteWebhook } = await import('#webhooks/endpoints')
    const { id, name } = await getWebhookByNameOrFail(this.webhook)
    await this.confirm(`Delete ${name} and the log of its deliveries?`, this.yes)
    this.print([rowOfWebhook(await deleteWebhook(id, this.actor))], WEBHOOK_COLUMNS)
  }
}
