import { flags } from '@adonisjs/core/ace'
import { OperatorCommand, UsageError } from './_operator_command.ts'
import type { MailStatus } from '#mails/mail_log'

export default class MailList extends OperatorCommand {
  static commandName = 'mail:list'
  static description = 'List mails and where they stand'
  static help = [
    'Examples:',
    '  {{ binaryName }} mail:list --status=failed',
    '  {{ binaryName }} mail:list --recipient=ada@example.org --json',
  ]

  @flags.string({ description: 'queued, sent or failed' })
  declare status?: string

  @flags.string({ description: 'Address that they go to' })
  declare recipient?: string

  @flags.number({ description: 'Page, counted from 1', default: 1 })
  declare page: number

  @flags.number({ description: 'Mails of a page', default: 50 })
  declare limit: number

  async perform() {
    const { listMails, MAIL_STATUSES } = await import('#mails/mail_log')
    const { recipient, page, limit } = this
    const status = this.status as MailStatus | undefined
    if (status && !MAIL_STATUSES.includes(status)) {
      throw new UsageError(`--status must be one of ${MAIL_STATUSES.join(', ')}`)
    }
    const { data: mails } = await listMails({ status, recipient, page, limit })
    this.print(
      mails.map((mail) => ({
        ...mail,
        ...(!this.json && { queued: String(mail.createdAt).slice(0, 16) }),
      })),
      /** Whoever lists what failed wants to name it to mail:retry. */
      status === 'failed'
        ? [
            { name: 'id', title: 'Mail', width: 36 },
            { name: 'kind', title: 'Kind', width: 18 },
            { name: 'recipient', title: 'To', width: 22 },
          ]
        : [
            { name: 'queued', title: 'Queued', width: 16 },
            { name: 'kind', title: 'Kind', width: 18 },
            { name: 'status', title: 'Status', width: 6 },
            { name: 'recipient', title: 'To', width: 34 },
          ]
    )
  }
}
