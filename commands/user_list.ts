import { flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, rowOf, USER_COLUMNS } from './_user_records.ts'

export default class UserList extends OperatorCommand {
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

  @flags.string({ description: 'Part of an e-mail, username or nickname' })
  declare search?: string

  @flags.string({ description: 'Accounts of this role' })
  declare role?: string

  @flags.string({ description: 'person or service' })
  declare kind?: string

  @flags.string({ description: 'active, locked, disabled or invited' })
  declare status?: string

  @flags.string({ description: 'yes or no: with or without a second factor' })
  declare mfa?: string

  @flags.string({ description: 'Created then or later, such as 2026-11-01T00:00:00Z' })
  declare createdFrom?: string

  @flags.string({ description: 'Signed in then or later' })
  declare lastLoginFrom?: string

  @flags.string({
    description: 'createdAt, email, username, role or lastLoginAt; - for descending',
  })
  declare sort?: string

  @flags.number({ description: 'Page, counted from 1', default: 1 })
  declare page: number

  @flags.number({ description: 'Accounts of a page, at most 100', default: 50 })
  declare limit: number

  async perform() {
    const { listUsersValidator } = await import('#validators/users')
    const { listUsers } = await import('#users/list/list_users')
    const { parseSort } = await import('#users/list/order')
    const { search, role, kind, status, mfa, createdFrom, lastLoginFrom } = this
    const criteria = { search, role, kind, status, mfa, createdFrom, lastLoginFrom }
    const given = { ...criteria, sort: this.sort, page: this.page, limit: this.limit }
    const { page = 1, limit = 50, sort, ...filter } = await listUsersValidator.validate(given)
    const { users, total } = await listUsers(filter, { page, limit, ...parseSort(sort) })
    this.print(await Promise.all(users.map(this.json ? recordOf : rowOf)), USER_COLUMNS)
    if (!this.json) this.tell(`${users.length} of ${total.toLocaleString('en-GB')} accounts`)
  }
}
