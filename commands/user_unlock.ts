import { UserCommand } from './_user_command.ts'

export default class UserUnlock extends UserCommand {
  static commandName = 'user:unlock'
  static description = 'Lift the lock of accounts and forget the failures that led to it'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:unlock ada@example.org',
    '  {{ binaryName }} user:unlock ada@example.org grace@example.org --json',
  ]

  protected async change(id: string) {
    const { unlockUser } = await import('#users/lock_user')
    let isNone = false
    const user = await unlockUser(id, this.actor, { onNone: () => (isNone = true) })
    if (isNone) this.tell(`${user.email} was not locked. Failures so far are forgotten.`)
    return user
  }
}
