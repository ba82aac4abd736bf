import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import type User from '#models/user'

export default class UserPassword extends OperatorCommand {
  static commandName = 'user:password'
  static description = 'Give an account a generated password, or one from standard input'
  static help = [
    'A generated password is printed only once. The user has to change it, or a password from',
    'standard input, at the next login, unless --permanent says that it is their choice.',
    'Every session of the account ends, and a mail tells the user.',
    '',
    'Examples:',
    '  {{ binaryName }} user:password ada@example.org',
    '  {{ binaryName }} user:password ada@example.org --stdin < password.txt',
    '  {{ binaryName }} user:password robot@example.org --stdin --permanent < password.txt',
  ]

  @args.string({ description: 'E-mail, handle or id' })
  declare user: string

  @flags.boolean({ description: 'Read the password from standard input or the prompt' })
  declare stdin: boolean

  @flags.boolean({ description: 'Let the user keep the password' })
  declare permanent: boolean

  async perform() {
    const results = await this.eachUser([this.user], (user) => this.#set(user))
    for (const result of results) this.printRecord(result)
  }

  async #set(user: User) {
    const { setPassword } = await import('#users/change_password')
    const password = this.stdin ? await this.#readPassword() : await this.#generatePassword()
    const mustChange = !this.permanent
    const { endedSessions } = await setPassword(user, password, { actor: this.actor, mustChange })
    const shownOnce = this.stdin ? {} : { password }
    return { id: user.id, email: user.email, ...shownOnce, mustChange, endedSessions }
  }

  async #readPassword() {
    const { registerValidator } = await import('#validators/auth')
    const password = await this.secret('New password')
    /** The validator needs all members of a registration; only the password is used. */
    const sample = { email: 'ada@example.org', username: 'ada', password }
    const validated = await registerValidator.validate(sample)
    return validated.password
  }

  async #generatePassword() {
    const { generatePassword } = await import('#auth/passwords/generator')
    return generatePassword()
  }
}
