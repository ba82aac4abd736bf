import { flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { KEY_COLUMNS, keyRecords } from './_key_records.ts'

export default class KeysRotate extends OperatorCommand {
  static commandName = 'keys:rotate'
  static description = 'Publish a new key for each algorithm in use, which signs in 10 minutes'
  static help = [
    'Tokens of the old key stay valid until they expire. With --now the new key signs immediately:',
    'verifiers that cache the public keys refuse its tokens for up to 5 minutes.',
    'If others may know the old key, revoke it too: keys:revoke.',
    '',
    'Examples:',
    '  {{ binaryName }} keys:rotate',
    '  {{ binaryName }} keys:rotate --now --json',
  ]

  @flags.boolean({ description: 'Let the new key sign at once' })
  declare now: boolean

  async perform() {
    const { rotateKeys } = await import('#auth/signing_keys/rotation')
    const { describeKeys } = await import('#auth/signing_keys/key_records')
    const keys = await rotateKeys(this.actor, { isImmediate: this.now })
    this.print(keyRecords(describeKeys(keys), this.json), KEY_COLUMNS)
  }
}
