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
    const { updateUser } = await import('#users/update_user')
    return updateUser(id, { disabled: true, disabledReason: this.reason }, this.actor)
  }
}
