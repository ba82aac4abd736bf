import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserDisable extends OperatorCommand {
  static commandName = 'user:disable'
  static description = 'Refuse sign-in to accounts and end their sessions'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:disable ada@example.org --reason="left the company"',
    '  {{ binaryName }} user:disable ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  @flags.string({ description: 'Why, for other administrators' })
  declare reason?: string

  async perform() {
    const { updateUser } = await import('#users/update_user')
    const { reason: disabledReason } = this
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await updateUser(id, { disabled: true, disabledReason }, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }
}
