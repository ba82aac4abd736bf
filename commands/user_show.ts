import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf } from './_user_records.ts'

export default class UserShow extends OperatorCommand {
  static commandName = 'user:show'
  static description = 'Show accounts with everything but secrets'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:show ada@example.org',
    '  {{ binaryName }} user:show ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  async perform() {
    const records = await this.eachUser(this.users, recordOf)
    if (this.json) return this.printJson(this.users.length === 1 ? records[0] : records)
    for (const record of records) this.printRecord(record)
  }
}
