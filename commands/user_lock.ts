import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand, UsageError } from './_operator_command.ts'
import { recordOf, USER_COLUMNS, withStatus } from './_user_records.ts'

export default class UserLock extends OperatorCommand {
  static commandName = 'user:lock'
  static description = 'Lock accounts for a time, as failed logins would; live sessions go on'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:lock ada@example.org --for=2h',
    '  {{ binaryName }} user:lock ada@example.org grace@example.org --json',
  ]

  @args.spread({ description: 'E-mails or ids' })
  declare users: string[]

  @flags.string({
    description: 'For how long, such as 30m, 12h or 7d; as a failed login unless given',
  })
  declare for?: string

  async perform() {
    const { lockUser } = await import('#users/lock_user')
    const until = Date.now() + (await this.#duration())
    const records = await this.eachUser(this.users, async ({ id }) =>
      recordOf(await lockUser(id, until, this.actor))
    )
    this.print(this.json ? records : records.map(withStatus), USER_COLUMNS)
  }

  async #duration() {
    const { default: lockout } = await import('#config/lockout')
    const { duration } = await import('#setup/env_rules')
    try {
      return this.for ? duration('30m')('--for', this.for) : lockout.durationMs
    } catch (error) {
      throw new UsageError(error.message)
    }
  }
}
