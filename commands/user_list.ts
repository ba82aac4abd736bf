import { flags } from '@adonisjs/core/ace'
import { assertPageLimit } from './_page_limit.ts'
import { UserFilterCommand } from './_user_filter_command.ts'
import { recordOf, rowOf, USER_COLUMNS } from './_user_records.ts'

export default class UserList extends UserFilterCommand {
  static commandName = 'user:list'
  static description = 'List accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:list --search=example.org --status=locked',
    '  {{ binaryName }} user:list --role=Admin --json',
    '  {{ binaryName }} user:list --kind=service',
    '  {{ binaryName }} user:list --mfa=no --last-login-from=2026-11-01T00:00:00Z',
    '  {{ binaryName }} user:list --sort=-lastLoginAt --limit=100 --page=2',
  ]

  @flags.string({
    description: 'createdAt, email, username, handle, role or lastLoginAt; - reverses',
  })
  declare sort?: string

  @flags.number({ description: 'Page, counted from 1', default: 1 })
  declare page: number

  @flags.number({ description: 'Accounts of a page, at most 100', default: 50 })
  declare limit: number

  async perform() {
    await assertPageLimit(this.limit)
    const { listUsersValidator } = await import('#validators/users')
    const { listUsers } = await import('#users/list/list_users')
    const { parseSort } = await import('#users/list/order')
    const given = { ...this.criteria, sort: this.sort, page: this.page, limit: this.limit }
    const { page = 1, limit = 50, sort, ...filter } = await listUsersValidator.validate(given)
    const { users, total } = await listUsers(filter, { page, limit, ...parseSort(sort) })
    this.print(await Promise.all(users.map(this.json ? recordOf : rowOf)), USER_COLUMNS)
    if (!this.json) this.tell(`${users.length} of ${total.toLocaleString('en-GB')} accounts`)
  }
}
