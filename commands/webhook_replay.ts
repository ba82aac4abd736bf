import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class WebhookReplay extends OperatorCommand {
  static commandName = 'webhook:replay'
  static description = 'Send again what a webhook missed'
  static help = [
    'Sends every event that the filters match, from a time or an event (included) on. Receivers',
    'know a repeat by its webhook-id. The audit log lists the ids of events: audit:list --json.',
    'The count stops at 10,000: 10001 means that more are sent.',
    '',
    'Examples:',
    '  {{ binaryName }} webhook:replay billing.example.org --since=2026-11-25T18:00:00Z',
    '  {{ binaryName }} webhook:replay SIEM --since=01a1fd70-f1c0-7a1f-8b62-c07d94e5f318',
  ]

  @args.string({ description: 'Name or id' })
  declare webhook: string

  @flags.string({ description: 'A time with its zone, or the id of an event' })
  declare since?: string

  async perform() {
    if (!this.since) throw new UsageError('Say since when, such as --since=2026-11-25T18:00:00Z.')
    const { getWebhookByNameOrFail } = await import('#webhooks/webhook_rows')
    const { replayWebhook } = await import('#webhooks/endpoints')
    const { parseSince } = await import('#webhooks/replay')
    const { id } = await getWebhookByNameOrFail(this.webhook)
    this.printRecord(await replayWebhook(id, parseSince(this.since), this.actor))
  }
}
