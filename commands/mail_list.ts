import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { Column } from './_table.ts'
import type { MailRecord, MailStatus } from '#mails/log/mail_log'

const COLUMNS: Column[] = [
  { name: 'queued', title: 'Queued', width: 16 },
  { name: 'kind', title: 'Kind', width: 18 },
  { name: 'status', title: 'Status', width: 7 },
  { name: 'recipient', title: 'To', width: 33 },
]

const WITH_REASON: Column[] = [
  { name: 'queued', title: 'Queued', width: 10 },
  { name: 'kind', title: 'Kind', width: 14 },
  { name: 'status', title: 'Status', width: 7 },
  { name: 'recipient', title: 'To', width: 20 },
  { name: 'lastError', title: 'Reason', width: 21 },
]

/** The ids are shown, because mail:retry takes them. */
const FAILED_COLUMNS: Column[] = [
  { name: 'id', title: 'Mail', width: 36 },
  { name: 'recipient', title: 'To', width: 20 },
  { name: 'lastError', title: 'Reason', width: 20 },
]

export default class MailList extends OperatorCommand {
  static commandName = 'mail:list'
  static description = 'List mails and their status'
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
    const { listMails, MAIL_STATUSES } = await import('#mails/log/mail_log')
    const { recipient, page, limit } = this
    const status = this.status as MailStatus | undefined
    if (status && !MAIL_STATUSES.includes(status)) {
      throw new UsageError(`--status must be one of ${MAIL_STATUSES.join(', ')}`)
    }
    const { data: mails } = await listMails({ status, recipient, page, limit })
    if (this.json) return this.printJson(mails)
    const rows = await this.#rows(mails)
    if (status === 'failed') return this.print(rows, FAILED_COLUMNS)
    this.print(rows, mails.some(({ lastError }) => lastError) ? WITH_REASON : COLUMNS)
  }

  /** A mail that became a file is shown as written and not as sent, as in the console. */
  async #rows(mails: MailRecord[]) {
    const { writesMailFiles } = await import('#mails/log/mail_file')
    const sent = writesMailFiles() ? 'written' : 'sent'
    return mails.map((mail) => ({
      ...mail,
      queued: mail.createdAt.slice(0, 16).replace('T', ' '),
      status: mail.status === 'sent' ? sent : mail.status,
    }))
  }
}
