import { AccountListCommand } from './_account_list_command.ts'
import type { SessionRecord } from '#auth/store/contract'

const ID_COLUMN = { name: 'id', title: 'Session', width: 36 }
const ACTIVE_COLUMN = { name: 'active', title: 'Active', width: 10 }
const COLUMNS_OF_ALL = [{ name: 'email', title: 'E-mail', width: 28 }]
const COLUMNS_OF_ONE = [
  { name: 'deviceName', title: 'Device', width: 13 },
  { name: 'ip', title: 'Address', width: 15 },
]

export default class SessionList extends AccountListCommand {
  static commandName = 'session:list'
  static description = 'List live sessions of an account, or of all accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} session:list ada@example.org',
    '  {{ binaryName }} session:list --limit=200 --json',
  ]

  async perform() {
    const userId = await this.userId()
    const sessions = userId ? await this.#sessionsOf(userId) : await this.#allSessions()
    const records = await this.#recordsOf(sessions)
    const rows = records.map((each) => ({ ...each, active: each.lastActivity.slice(0, 10) }))
    const ofWhom = userId ? COLUMNS_OF_ONE : COLUMNS_OF_ALL
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
    return new Map(users.map(({ id, mailbox }) => [id, mailbox]))
  }

  async #sessionsOf(userId: string) {
    const { listSessions } = await import('#auth/sessions/sessions')
    return listSessions(userId)
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
