import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

export default class MailRetry extends OperatorCommand {
  static commandName = 'mail:retry'
  static description = 'Queue mails again whose delivery failed'
  static help = [
    'Examples:',
    '  {{ binaryName }} mail:retry 0198…-…',
    '  {{ binaryName }} mail:list --status=failed',
  ]

  @args.spread({ description: 'Ids of mails' })
  declare mails: string[]

  async perform() {
    const { retryMail } = await import('#mails/mail_log')
    const queued = []
    for (const id of this.mails) {
      try {
        await retryMail(id, this.actor)
        queued.push({ id, status: 'queued' })
      } catch (error) {
        await this.fail(error, id)
      }
    }
    this.print(queued, [
      { name: 'id', title: 'Mail', width: 36 },
      { name: 'status', title: 'Status', width: 8 },
    ])
  }
}
