import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf } from './_user_records.ts'
import type { NewUser } from '#users/insert_user'

export default class UserCreate extends OperatorCommand {
  static commandName = 'user:create'
  static description = 'Create an account'
  static help = [
    'The password is asked for, or read from standard input; --generate prints one, and',
    '--invite mails a link to set one. The user has to change the password at the first',
    'login, unless --permanent says otherwise. The first administrator keeps a password',
    'that was typed.',
    '',
    'Examples:',
    '  {{ binaryName }} user:create ada@example.org --role=Admin',
    '  {{ binaryName }} user:create ada@example.org --generate',
    '  {{ binaryName }} user:create ada@example.org --invite --username=Ada',
    '  {{ binaryName }} user:create ada@example.org --generate --verified',
    '  {{ binaryName }} user:create robot@example.org --permanent < password.txt',
    '  {{ binaryName }} user:create --service --username=billing-worker',
  ]

  @args.string({ description: 'E-mail of the account', required: false })
  declare email?: string

  @flags.string({ flagName: 'email', description: 'The e-mail, instead of the argument' })
  declare emailFlag?: string

  @flags.string({ description: 'Name; the part of the e-mail before the @ unless given' })
  declare username?: string

  @flags.string({ description: 'Handle in applications; made of the name unless given' })
  declare handle?: string

  @flags.string({ description: 'Optional display name' })
  declare nickname?: string

  @flags.string({ description: 'Role; User unless given' })
  declare role?: string

  @flags.boolean({ description: 'Mail an invitation instead of setting a password' })
  declare invite: boolean

  @flags.boolean({ description: 'Generate a password and print it' })
  declare generate: boolean

  @flags.boolean({ description: 'Let the user keep the password' })
  declare permanent: boolean

  @flags.boolean({ description: 'Mark the e-mail as verified, which applications may ask for' })
  declare verified: boolean

  @flags.boolean({ description: 'Create a service account, which has API keys only' })
  declare service: boolean

  async perform() {
    if (this.service) return this.#createService()
    const newUser = await this.#newUser()
    const user = await this.#create(newUser)
    const shownOnce = this.generate ? { password: newUser.password } : {}
    this.printRecord({ ...(await recordOf(user)), ...shownOnce })
    this.tell(this.invite ? 'Invited: a mail is on its way.' : 'Created.')
  }

  async #createService() {
    const { createServiceAccountValidator } = await import('#validators/users')
    const { addServiceAccount } = await import('#users/service_accounts')
    const { email, emailFlag, invite, generate, verified } = this
    if (email || emailFlag || invite || generate || verified) throw notOfService()
    const { username, handle, nickname, role } = this
    const input = { kind: 'service', username, handle, nickname, role }
    const account = await createServiceAccountValidator.validate(input)
    this.printRecord(await recordOf(await addServiceAccount(account, this.actor)))
    this.tell('Created. Create an API key for it: key:create <id> --name= --scopes=')
  }

  async #newUser() {
    const { createUserValidator } = await import('#validators/users')
    const { username, handle, nickname, role, invite, verified: emailVerified } = this
    if (invite && this.generate)
      throw new UsageError('--invite sets no password: leave out --generate.')
    const input = { email: this.#givenEmail(), username, handle, nickname, role, emailVerified }
    /** Validated before the prompt, so that no password is typed for a refused user. */
    await createUserValidator.validate({ ...input, invite: true })
    const password = await this.#password()
    const values = await createUserValidator.validate({ ...input, invite, password })
    const mustChangePassword = !invite && !this.permanent
    return {
      ...values,
      username: values.username ?? values.email.split('@')[0],
      mustChangePassword,
    }
  }

  #givenEmail() {
    const email = this.email ?? this.emailFlag
    if (this.email && this.emailFlag)
      throw new UsageError('Name the e-mail once: as the argument or by --email.')
    if (!email) throw new UsageError('Name the e-mail: user:create ada@example.org')
    return email
  }

  /** The operator who types the password of the first administrator is that administrator. */
  async #create(newUser: NewUser) {
    const { addUser } = await import('#users/add_user')
    const { ADMIN_ROLE } = await import('#models/user')
    const first =
      newUser.role === ADMIN_ROLE && !this.invite
        ? await this.#createFirstAdmin(newUser as NewUser & { password: string })
        : null
    return first ?? addUser(newUser, this.actor)
  }

  async #createFirstAdmin(newUser: NewUser & { password: string }) {
    const { createFirstAdmin } = await import('#users/first_admin')
    const mustChangePassword = this.generate && newUser.mustChangePassword
    return createFirstAdmin({ ...newUser, mustChangePassword }, 'operator', this.actor)
  }

  async #password() {
    if (this.invite) return undefined
    if (!this.generate) return this.secret('Password')
    const { generatePassword } = await import('#auth/passwords/generator')
    return generatePassword()
  }
}

function notOfService() {
  return new UsageError('A service account has no e-mail and no password: give --username alone.')
}
