import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { UserCommand } from './_user_command.ts'

/** An event of the trail has a year of four digits. */
const LAST_TIME = Date.UTC(9999, 11, 31)

export default class UserLock extends UserCommand {
  static commandName = 'user:lock'
  static description = 'Lock accounts for a time, as failed logins would; sessions continue'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:lock ada@example.org --for=2h',
    '  {{ binaryName }} user:lock ada@example.org grace@example.org --json',
  ]

  @flags.string({
    description: 'For how long, such as 30m, 12h or 7d; as a failed login unless given',
  })
  declare for?: string

  #until = 0

  override async perform() {
    this.#until = Date.now() + (await this.#duration())
    if (this.#until > LAST_TIME) throw new UsageError('--for must end before the year 10000')
    await super.perform()
  }

  async #duration() {
    const { default: lockout } = await import('#config/lockout')
    const { duration } = await import('#setup/environment/rules')
    try {
      return this.for ? duration('30m')('--for', this.for) : lockout.durationMs
    } catch (error) {
      throw new UsageError(error.message)
    }
  }

  protected async change(id: string) {
    const { lockUser } = await import('#users/lock_user')
    return lockUser(id, this.#until, this.actor)
  }
}
