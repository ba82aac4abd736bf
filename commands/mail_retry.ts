import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class MailRetry extends OperatorCommand {
  static commandName = 'mail:retry'
  static description = 'Queue mails again whose delivery failed'
  static help = [
    'Examples:',
    '  {{ binaryName }} mail:retry 0198…-…',
    '  {{ binaryName }} mail:retry --all',
  ]

  @args.spread({ description: 'Ids of mails', required: false })
  declare mails?: string[]

  @flags.boolean({ description: 'Every mail whose delivery failed' })
  declare all: boolean

  async perform() {
    const queued = []
    for (const id of await this.#selectedIds()) {
      const isQueued = await this.#retry(id)
      if (isQueued) queued.push({ id, status: 'queued' })
    }
    this.print(queued, [
      { name: 'id', title: 'Mail', width: 36 },
      { name: 'status', title: 'Status', width: 8 },
    ])
  }

  /** A mail that cannot be queued is reported, and the next one is tried. */
  async #retry(id: string) {
    const { retryMail } = await import('#mails/queue/retry_mail')
    try {
      if (!(await retryMail(id, this.actor))) throw new UsageError('The mail had not failed.')
      return true
    } catch (error) {
      await this.fail(error, id)
      return false
    }
  }

  async #selectedIds() {
    const ids = this.mails ?? []
    if (this.all && ids.length > 0) throw new UsageError('Name mails by id, or --all.')
    if (this.all) return this.#failedIds()
    if (ids.length > 0) return ids
    throw new UsageError('Name mails by id, or all that failed by --all.')
  }

  /** Reads the ids before the first retry, so that a mail that fails again is not retried twice. */
  async #failedIds() {
    const { listMails } = await import('#mails/log/mail_log')
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const { data } = await listMails({ status: 'failed', page, limit: 100 })
      ids.push(...data.map(({ id }) => id))
      if (data.length < 100) return ids
    }
  }
}
