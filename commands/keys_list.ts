import { OperatorCommand } from './_operator_command.ts'
import { KEY_COLUMNS, keyRecords } from './_key_records.ts'

export default class KeysList extends OperatorCommand {
  static commandName = 'keys:list'
  static description = 'List the key pairs that sign access tokens and ID tokens, and their state'
  static help = ['Examples:', '  {{ binaryName }} keys:list', '  {{ binaryName }} keys:list --json']

  async perform() {
    const { listKeys } = await import('#auth/signing_keys/key_records')
    const keys = await listKeys()
    this.print(keyRecords(keys, this.json), KEY_COLUMNS)
  }
}
