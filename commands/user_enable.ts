import { UserCommand } from './_user_command.ts'

export default class UserEnable extends UserCommand {
  static commandName = 'user:enable'
  static description = 'Let disabled accounts sign in again'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:enable ada@example.org',
    '  {{ binaryName }} user:enable ada@example.org grace@example.org --json',
  ]

  protected async change(id: string) {
    const { enableUser } = await import('#users/disable_user')
    return enableUser(id, this.actor)
  }
}
