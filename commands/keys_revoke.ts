import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { KEY_COLUMNS, keyRecords } from './_key_records.ts'

export default class KeysRevoke extends OperatorCommand {
  static commandName = 'keys:revoke'
  static description = 'Revoke a signing key that others may know: its tokens are refused'
  static help = [
    'No user is logged out: clients get a token of the next key with their refresh token.',
    'Other services accept tokens of the key until they read the public keys again, which',
    'may take 5 minutes.',
    '',
    'Examples:',
    '  {{ binaryName }} keys:revoke NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
    '  {{ binaryName }} keys:revoke NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --yes',
  ]

  @args.string({ description: 'Key id, as keys:list shows it' })
  declare kid: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { revokeKey } = await import('#auth/signing_keys/rotation')
    const { describeKeys } = await import('#auth/signing_keys/key_records')
    await this.confirm(`Refuse all tokens of the signing key ${this.kid}?`, this.yes)
    const keys = await revokeKey(this.kid, this.actor)
    this.print(keyRecords(describeKeys(keys), this.json), KEY_COLUMNS)
  }
}
