import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand, UsageError } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserUpdate extends OperatorCommand {
  static commandName = 'user:update'
  static description = 'Change accounts; another role ends their sessions'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:update ada@example.org --role=Admin',
    '  {{ binaryName }} user:update ada@example.org --email=ada@example.com --verified',
    '  {{ binaryName }} user:update ada@example.org --no-verified',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  @flags.string({ description: 'Another e-mail; it is unverified at first' })
  declare email?: string

  @flags.string({ description: 'Another name' })
  declare username?: string

  @flags.string({ description: 'Another display name' })
  declare nickname?: string

  @flags.string({ description: 'Another role' })
  declare role?: string

  @flags.boolean({
    description: 'Whether the e-mail counts as verified',
    showNegatedVariantInHelp: true,
  })
  declare verified?: boolean

  async perform() {
    const { updateUserValidator } = await import('#validators/users')
    const { updateUser } = await import('#users/update_user')
    const { email, username, nickname, role, verified: emailVerified } = this
    const given = { email, username, nickname, role, emailVerified }
    if (Object.values(given).every((value) => value === undefined)) {
      throw new UsageError('Name what to change: see user:update --help')
    }
    const { currentPassword, ...changes } = await updateUserValidator.validate(given)
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await updateUser(id, changes, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }
}
