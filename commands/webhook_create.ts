import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

export default class WebhookCreate extends OperatorCommand {
  static commandName = 'webhook:create'
  static description = 'Tell another system what happens here, within seconds'
  static help = [
    'Prints, once, the secret with which the receiver verifies each request: libraries of',
    'Standard Webhooks do that in most languages. See docs/webhooks.md for receivers and types.',
    '',
    'A filter is a type such as user.created, all types of a subject such as user.*, or * for',
    'everything. The subjects are user, session, login, password, mfa, passkey, identity, group,',
    'application and client. Quote the star: a shell replaces it with the names of files.',
    '',
    'Examples:',
    '  {{ binaryName }} webhook:create https://billing.example.org/gatehouse --events="user.*"',
    '  {{ binaryName }} webhook:create https://siem.example.org/in --events="*" --name=SIEM',
    '  {{ binaryName }} webhook:create https://api.example.org/hooks \\',
    '    --events=session.ended,user.disabled,user.deleted',
    '',
    'An address in a private network needs OUTBOUND_ALLOWED_NETWORKS.',
  ]

  @args.string({ description: 'The https address of the receiver' })
  declare url: string

  @flags.array({ description: 'Filters, each in a flag or separated by commas' })
  declare events?: string[]

  @flags.string({ description: 'Unique; by default the host of the address' })
  declare name?: string

  @flags.string({ description: 'What it is for' })
  declare description?: string

  @flags.boolean({ description: 'Send nothing yet' })
  declare disabled: boolean

  async perform() {
    const { createWebhookValidator } = await import('#validators/webhooks')
    const { createWebhook } = await import('#webhooks/endpoints')
    const { toRecord } = await import('#webhooks/webhook')
    const { url, name, description } = this
    const events = this.events?.flatMap((each) => each.split(',')).map((each) => each.trim())
    const typed = { url, events, name, description, enabled: !this.disabled }
    const { currentPassword, code, ...given } = await createWebhookValidator.validate(typed)
    const { webhook, secret } = await createWebhook(given, this.actor)
    this.printRecord({ ...toRecord(webhook), secret })
  }
}
