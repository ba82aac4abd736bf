import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { canonicalId } from '#database/canonical_id'

export default class SessionRevoke extends OperatorCommand {
  static commandName = 'session:revoke'
  static description = 'End sessions: their tokens are refused from the next request on'
  static help = [
    'Examples:',
    '  {{ binaryName }} session:revoke --user=ada@example.org',
    '  {{ binaryName }} session:revoke --user=ada@example.org 6f1c…-…',
    '  {{ binaryName }} session:revoke --all --yes',
  ]

  @args.spread({ description: 'Ids of sessions', required: false })
  declare sessions?: string[]

  @flags.string({
    description: 'E-mail, handle or id of the account: all its sessions, or those named',
  })
  declare user?: string

  @flags.boolean({ description: 'The sessions of all accounts' })
  declare all: boolean

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const ids = this.sessions ?? []
    if (this.all && (this.user || ids.length > 0))
      throw new UsageError('--all ends the sessions of every account: name nothing beside it.')
    if (this.all) return this.#endAll()
    if (ids.length > 0) return this.#endSome(ids)
    if (!this.user) throw new UsageError('Name sessions, or --user, or --all.')
    const { endAllSessionsAs } = await import('#auth/sessions/end_session')
    const ended = await this.eachUser([this.user], async ({ id, email }) => ({
      email,
      endedSessions: await endAllSessionsAs(id, this.actor),
    }))
    for (const each of ended) this.printRecord(each)
  }

  async #endSome(ids: string[]) {
    const { E_NOT_FOUND } = await import('#exceptions/http_errors')
    const { endSessionAs } = await import('#auth/sessions/end_session')
    const userIds = await this.#userIdsBySession()
    const ended = []
    for (const id of ids.map(canonicalId)) {
      const userId = userIds.get(id)
      const isEnded = userId ? await endSessionAs(userId, id, this.actor) : false
      if (isEnded) ended.push({ id, ended: true })
      else await this.fail(new E_NOT_FOUND('No such live session'), id)
    }
    this.print(ended, [{ name: 'id', title: 'Ended', width: 36 }])
  }

  async #userIdsBySession() {
    const userIds = new Map<string, string>()
    for await (const session of this.#liveSessions()) userIds.set(session.id, session.userId)
    return userIds
  }

  async *#liveSessions() {
    const { default: store } = await import('#auth/store/service')
    let cursor: string | null = null
    do {
      const page = await store.scanSessions({ cursor, limit: 500, now: Date.now() })
      yield* page.sessions
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  async #endAll() {
    await this.confirm('End the sessions of all accounts?', this.yes)
    const { endAllSessionsAs } = await import('#auth/sessions/end_session')
    const userIds = await this.#userIdsBySession()
    const users = new Set(userIds.values())
    let endedSessions = 0
    for (const id of users) endedSessions += await endAllSessionsAs(id, this.actor)
    this.printRecord({ users: users.size, endedSessions })
  }
}
