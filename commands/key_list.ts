import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

const COLUMNS = [
  { name: 'id', title: 'Key', width: 16 },
  { name: 'owner', title: 'Account', width: 28 },
  { name: 'name', title: 'Name', width: 20 },
  { name: 'ends', title: 'Expires', width: 10 },
  { name: 'used', title: 'Last used', width: 10 },
]

export default class KeyList extends OperatorCommand {
  static commandName = 'key:list'
  static description = 'List the API keys of an account, or of all accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} key:list ada@example.org',
    '  {{ binaryName }} key:list --limit=200 --json',
  ]

  @args.string({
    argumentName: 'account',
    description: 'E-mail or id of an account; all accounts unless given',
    required: false,
  })
  declare name?: string

  @flags.string({ description: 'The same' })
  declare user?: string

  @flags.number({ description: 'Keys to list at most', default: 50 })
  declare limit: number

  async perform() {
    const { listKeysWithOwners } = await import('#auth/api_keys/list_keys')
    const name = this.name ?? this.user
    const records = await listKeysWithOwners({ userId: await this.#idOf(name), limit: this.limit })
    const rows = records.map((each) => ({
      ...each,
      ends: each.expiresAt.slice(0, 10),
      used: (each.lastUsedAt ?? 'never').slice(0, 10),
    }))
    this.print(this.json ? records.map((each) => ({ ...each })) : rows, COLUMNS)
  }

  async #idOf(name?: string) {
    if (!name) return undefined
    const { getUserByNameOrFail } = await import('#users/find_user')
    const { id } = await getUserByNameOrFail(name)
    return id
  }
}
