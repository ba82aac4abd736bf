import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { formatValue } from './_table.ts'

const SENT = 'Mails are sent here, and not kept. See mail:list for their status.'

export default class MailShow extends OperatorCommand {
  static commandName = 'mail:show'
  static description = 'Print a mail with its links, while mails become files'
  static help = [
    'The audit log records who read the mail: its link may open the account.',
    '',
    'Examples:',
    '  {{ binaryName }} mail:show --latest',
    '  {{ binaryName }} mail:show --latest --recipient=ada@example.org --json',
  ]

  @args.string({ description: 'Id of the mail, as mail:list --json gives it', required: false })
  declare mail?: string

  @flags.boolean({ description: 'The newest mail' })
  declare latest: boolean

  @flags.string({ description: 'With --latest: address that it goes to' })
  declare recipient?: string

  async perform() {
    const { id, kind, recipient, createdAt, text, links } = await this.#read()
    if (this.json) return this.printJson({ id, kind, recipient, createdAt, text, links })
    const head = `To ${recipient}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC, ${kind}`
    const lines = [head, '', ...text.trimEnd().split('\n')]
    process.stdout.write(lines.map((line) => `${formatValue(line)}\n`).join(''))
  }

  async #read() {
    const { readMailFile, writesMailFiles } = await import('#mails/log/mail_file')
    const { E_NOT_FOUND } = await import('#exceptions/http_errors')
    const mail = await readMailFile(await this.#selectedId(), this.actor)
    if (mail) return mail
    throw new E_NOT_FOUND(writesMailFiles() ? 'No such mail, or not written yet.' : SENT)
  }

  async #selectedId() {
    if (Boolean(this.mail) === Boolean(this.latest)) {
      throw new UsageError('Name one mail by its id, or the newest by --latest.')
    }
    return this.mail ?? (await this.#latestId())
  }

  async #latestId() {
    const { canonicalEmail } = await import('#models/email')
    const { listMails } = await import('#mails/log/mail_log')
    const recipient = this.recipient && (canonicalEmail(this.recipient) ?? this.recipient)
    const { data } = await listMails({ recipient, limit: 1 })
    return data.at(0)?.id ?? ''
  }
}
