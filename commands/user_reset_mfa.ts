import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserResetMfa extends OperatorCommand {
  static commandName = 'user:reset-mfa'
  static description =
    'Take the second factor off accounts whose owner has lost it; their sessions end'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:reset-mfa ada@example.org',
    '  {{ binaryName }} user:reset-mfa ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  async perform() {
    const { resetMfa } = await import('#auth/mfa/reset')
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await resetMfa(id, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }
}
