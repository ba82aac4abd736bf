import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import type { SessionRecord } from '#auth/store/contract'

const ID_COLUMN = { name: 'id', title: 'Session', width: 36 }
const ACTIVE_COLUMN = { name: 'active', title: 'Active', width: 10 }
const COLUMNS_OF_ALL = [{ name: 'email', title: 'E-mail', width: 28 }]
const COLUMNS_OF_ONE = [
  { name: 'deviceName', title: 'Device', width: 13 },
  { name: 'ip', title: 'Address', width: 15 },
]

export default class SessionList extends OperatorCommand {
  static commandName = 'session:list'
  static description = 'List live sessions of an account, or of all accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} session:list ada@example.org',
    '  {{ binaryName }} session:list --limit=200 --json',
  ]

  @args.string({
    argumentName: 'account',
    description: 'E-mail or id of an account; all accounts unless given',
    required: false,
  })
  declare name?: string

  @flags.string({ description: 'The same' })
  declare user?: string

  @flags.number({ description: 'Sessions to list at most', default: 50 })
  declare limit: number

  async perform() {
    const name = this.name ?? this.user
    const sessions = name ? await this.#sessionsOf(name) : await this.#allSessions()
    const records = await this.#recordsOf(sessions)
    const rows = records.map((each) => ({ ...each, active: each.lastActivity.slice(0, 10) }))
    const ofWhom = name ? COLUMNS_OF_ONE : COLUMNS_OF_ALL
    this.print(this.json ? records : rows, [ID_COLUMN, ...ofWhom, ACTIVE_COLUMN])
  }

  async #recordsOf(sessions: SessionRecord[]) {
    const { sessionRecord } = await import('#transformers/session_record')
    const emails = await this.#emailsOf(sessions)
    return sessions.map((session) => {
      const { current, ...record } = sessionRecord(session)
      return { userId: session.userId, email: emails.get(session.userId) ?? null, ...record }
    })
  }

  async #emailsOf(sessions: { userId: string }[]) {
    const { default: User } = await import('#models/user')
    const ids = [...new Set(sessions.map(({ userId }) => userId))]
    const users = ids.length > 0 ? await User.query().whereIn('id', ids) : []
    return new Map(users.map(({ id, email }) => [id, email]))
  }

  async #sessionsOf(name: string) {
    const { getUserByNameOrFail } = await import('#users/find_user')
    const { listSessions } = await import('#auth/sessions/sessions')
    const { id } = await getUserByNameOrFail(name)
    return listSessions(id)
  }

  async #allSessions() {
    const { default: store } = await import('#auth/store/service')
    const { sessions } = await store.scanSessions({
      cursor: null,
      limit: this.limit,
      now: Date.now(),
    })
    return sessions
  }
}
