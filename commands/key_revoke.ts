import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

const COLUMNS = [
  { name: 'id', title: 'Key', width: 16 },
  { name: 'owner', title: 'Account', width: 28 },
  { name: 'name', title: 'Name', width: 30 },
]

export default class KeyRevoke extends OperatorCommand {
  static commandName = 'key:revoke'
  static description = 'Refuse API keys from the next request on'
  static help = [
    'A key is named by its id, which key:list prints: the part after gh_.',
    '',
    'Examples:',
    '  {{ binaryName }} key:revoke 4fJ0aZr7QwT1xY9c',
    '  {{ binaryName }} key:revoke 4fJ0aZr7QwT1xY9c --yes',
  ]

  @args.spread({ description: 'Ids of keys' })
  declare ids: string[]

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { getKeyWithOwnerOrFail } = await import('#auth/api_keys/list_keys')
    const { revokeKey } = await import('#auth/api_keys/revoke_keys')
    await this.confirm(`Revoke ${this.ids.join(', ')} for good?`, this.yes)
    const revoked: Record<string, unknown>[] = []
    for (const id of this.ids) {
      try {
        const key = await getKeyWithOwnerOrFail(id)
        await revokeKey(key.userId, id, this.actor)
        revoked.push({ ...key })
      } catch (error) {
        await this.fail(error, id)
      }
    }
    this.print(revoked, COLUMNS)
  }
}
