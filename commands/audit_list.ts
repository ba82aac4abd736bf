import { isIP } from 'node:net'
import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { assertPageLimit } from './_page_limit.ts'
import type { AuditRecord } from '#audit/trail/audit_record'
import type { Delegate } from '#transformers/admin/event_delegates'

export default class AuditList extends OperatorCommand {
  static commandName = 'audit:list'
  static description = 'List events of the audit log, the newest first'
  static help = [
    'Examples:',
    '  {{ binaryName }} audit:list --user=ada@example.org',
    '  {{ binaryName }} audit:list --action=login.failed --from=2026-11-01T00:00:00Z --json',
  ]

  @flags.string({ description: 'E-mail, handle or id of the account that acted or was acted upon' })
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
    await assertPageLimit(this.limit)
    const { auditFilterValidator } = await import('#validators/users')
    const { listAuditEvents } = await import('#audit/trail/query')
    const { action, outcome, ip, from, to } = this
    if (action !== undefined) await assertKnown(action)
    if (ip && isIP(ip) === 0) throw new UsageError(`--ip: ${ip} is no IP address`)
    const given = { action, outcome, ip, from, to, page: this.page, limit: this.limit }
    const { page = 1, limit = 50, ...filter } = await auditFilterValidator.validate(given)
    const about = this.user ? await this.#userId(this.user) : undefined
    const { events, total } = await listAuditEvents({ ...filter, about }, { page, limit })
    if (this.json) return this.printJson(events)
    this.print(await this.#rows(events), [
      { name: 'time', title: 'Time (UTC)', width: 16 },
      { name: 'action', title: 'What', width: 18 },
      { name: 'who', title: 'Who', width: 20 },
      { name: 'whom', title: 'On whom', width: 20 },
    ])
    this.tell(`${events.length} of ${total.toLocaleString('en-GB')} events`)
  }

  async #rows(events: AuditRecord[]) {
    const { findDelegates } = await import('#transformers/admin/event_delegates')
    const names = await namesOf(events.flatMap(({ actorId, targetId }) => [actorId, targetId]))
    const delegates = await findDelegates(events)
    const nameOfUser = (id: string | null) => (id ? (names.get(id) ?? DELETED) : null)
    return events.map(({ occurredAt, action, actor, actorId, targetId, details }) => ({
      time: occurredAt.slice(0, 16).replace('T', ' '),
      action,
      who: withDelegate(nameOfUser(actorId) ?? actor, delegates.get(actor)),
      whom: nameOfUser(targetId) ?? details.email ?? null,
    }))
  }

  async #userId(name: string) {
    const { getUserByNameOrFail } = await import('#users/find_user')
    const { id } = await getUserByNameOrFail(name)
    return id
  }
}

/** A misspelt name would find nothing. The trail may also contain names of older versions. */
async function assertKnown(action: string) {
  const { AUDITED_TYPES } = await import('#events/event_types')
  const { listAuditActions } = await import('#audit/trail/query')
  const known: string[] = AUDITED_TYPES
  if (known.includes(action)) return
  const recorded = await listAuditActions()
  if (recorded.includes(action)) return
  const [subject] = action.split('.', 1)
  const similar = known.filter((type) => type.startsWith(`${subject}.`))
  const remedy = similar.length > 0 ? `Known are ${similar.join(', ')}` : 'docs/audit.md lists them'
  throw new UsageError(`--action: no event is called ${action}. ${remedy}`)
}

const DELETED = 'Deleted account'

/** Returns the name of each user who still exists. */
async function namesOf(ids: (string | null)[]) {
  const { default: User } = await import('#models/user')
  const users = await User.query().whereIn('id', [...new Set(ids)].filter(Boolean) as string[])
  return new Map(users.map(({ id, label }) => [id, label]))
}

/** “ada@example.org, by the application Grafana”. */
function withDelegate(actor: string, delegate?: Delegate) {
  if (!delegate) return actor
  const kind = delegate.kind === 'client' ? 'application' : 'API key'
  return `${actor}, by the ${kind} ${delegate.name}`
}
