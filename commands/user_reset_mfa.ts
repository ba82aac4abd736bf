import { flags } from '@adonisjs/core/ace'
import { UserCommand } from './_user_command.ts'

export default class UserResetMfa extends UserCommand {
  static commandName = 'user:reset-mfa'
  static description =
    'Remove the second factor and passkeys of accounts whose user has lost them; their sessions end'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:reset-mfa ada@example.org',
    '  {{ binaryName }} user:reset-mfa ada@example.org grace@example.org --yes',
  ]

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const question = `Remove every second factor of ${this.users.join(', ')}?`
    await this.confirm(question, this.yes)
    await super.perform()
  }

  protected async change(id: string) {
    const { resetMfa } = await import('#users/reset_mfa')
    return resetMfa(id, this.actor)
  }
}
