import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserUnlock extends OperatorCommand {
  static commandName = 'user:unlock'
  static description = 'Lift the lock of accounts and forget the failures that led to it'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:unlock ada@example.org',
    '  {{ binaryName }} user:unlock ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  async perform() {
    const { unlockUser } = await import('#users/lock_user')
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await unlockUser(id, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }
}
