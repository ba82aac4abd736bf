import { AccountListCommand } from './_account_list_command.ts'

const COLUMNS = [
  { name: 'id', title: 'Key', width: 16 },
  { name: 'owner', title: 'Account', width: 28 },
  { name: 'name', title: 'Name', width: 20 },
  { name: 'ends', title: 'Expires', width: 10 },
  { name: 'used', title: 'Last used', width: 10 },
]

export default class KeyList extends AccountListCommand {
  static commandName = 'key:list'
  static description = 'List the API keys of an account, or of all accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} key:list ada@example.org',
    '  {{ binaryName }} key:list --limit=200 --json',
  ]

  async perform() {
    const { listKeysWithOwners } = await import('#auth/api_keys/list_keys')
    const userId = await this.userId()
    const records = await listKeysWithOwners({ userId, limit: this.limit })
    const rows = records.map((each) => ({
      ...each,
      ends: each.expiresAt.slice(0, 10),
      used: (each.lastUsedAt ?? 'never').slice(0, 10),
    }))
    this.print(this.json ? records.map((each) => ({ ...each })) : rows, COLUMNS)
  }
}
