import { flags } from '@adonisjs/core/ace'
import { UserCommand } from './_user_command.ts'

export default class UserDisable extends UserCommand {
  static commandName = 'user:disable'
  static description = 'Refuse sign-in to accounts and end their sessions'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:disable ada@example.org --reason="left the company"',
    '  {{ binaryName }} user:disable ada@example.org grace@example.org --json',
  ]

  @flags.string({ description: 'Why, for other administrators' })
  declare reason?: string

  protected async change(id: string) {
    const { disableUser } = await import('#users/disable_user')
    return disableUser(id, { reason: this.reason }, this.actor)
  }
}
