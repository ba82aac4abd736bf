import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserEnable extends OperatorCommand {
  static commandName = 'user:enable'
  static description = 'Let disabled accounts sign in again'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:enable ada@example.org',
    '  {{ binaryName }} user:enable ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  async perform() {
    const { updateUser } = await import('#users/update_user')
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await updateUser(id, { disabled: false }, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }
}
