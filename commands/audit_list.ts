import { flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

export default class AuditList extends OperatorCommand {
  static commandName = 'audit:list'
  static description = 'List events of the audit trail, the newest first'
  static help = [
    'Examples:',
    '  {{ binaryName }} audit:list --user=ada@example.org',
    '  {{ binaryName }} audit:list --action=login.failed --from=2026-11-01T00:00:00Z --json',
  ]

  @flags.string({ description: 'E-mail or id of the account that acted or was acted upon' })
  declare user?: string

  @flags.string({ description: 'Such as login.failed or account.locked' })
  declare action?: string

  @flags.string({ description: 'success or failure' })
  declare outcome?: string

  @flags.string({ description: 'Address that it came from' })
  declare ip?: string

  @flags.string({ description: 'The first point in time, ISO 8601' })
  declare from?: string

  @flags.string({ description: 'The point in time before which it was, ISO 8601' })
  declare to?: string

  @flags.number({ description: 'Page, counted from 1', default: 1 })
  declare page: number

  @flags.number({ description: 'Events of a page, at most 100', default: 50 })
  declare limit: number

  async perform() {
    const { auditFilterValidator } = await import('#validators/users')
    const { listAuditEvents } = await import('#audit/listing')
    const { action, outcome, ip, from, to } = this
    const given = { action, outcome, ip, from, to, page: this.page, limit: this.limit }
    const { page = 1, limit = 50, ...filter } = await auditFilterValidator.validate(given)
    const about = this.user ? await this.#account(this.user) : undefined
    const { events, total } = await listAuditEvents({ ...filter, about }, { page, limit })
    const rows = events.map((event) => ({ ...event, time: event.occurredAt.slice(0, 19) }))
    this.print(this.json ? events.map((event) => ({ ...event })) : rows, [
      { name: 'time', title: 'Time (UTC)', width: 19 },
      { name: 'action', title: 'What', width: 22 },
      { name: 'actor', title: 'Who', width: 20 },
      { name: 'ip', title: 'Address', width: 13 },
    ])
    if (!this.json) this.tell(`${events.length} of ${total} events`)
  }

  async #account(name: string) {
    const { findAccountOrFail } = await import('#auth/accounts/naming')
    const { id } = await findAccountOrFail(name)
    return id
  }
}
