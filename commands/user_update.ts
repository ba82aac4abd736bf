import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { UserCommand } from './_user_command.ts'
import type { UserEdit } from '#users/edit_user'

export default class UserUpdate extends UserCommand {
  static commandName = 'user:update'
  static description = 'Change accounts; another role ends their sessions'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:update ada@example.org --role=Admin',
    '  {{ binaryName }} user:update ada@example.org --email=ada@example.com --verified',
    '  {{ binaryName }} user:update ada@example.org --no-verified',
    '  {{ binaryName }} user:update ada@example.org --handle=ada.lovelace',
    '',
    'A patch changes what it names, and null removes it:',
    `  {{ binaryName }} user:update ada@example.org --app-metadata='{"plan":"pro","trial":null}'`,
  ]

  @flags.string({ description: 'Another e-mail; it is unverified at first' })
  declare email?: string

  @flags.string({ description: 'Another name' })
  declare username?: string

  @flags.string({ description: 'Another handle, by which applications name the account' })
  declare handle?: string

  @flags.string({ description: 'Another display name' })
  declare nickname?: string

  @flags.string({ description: 'Another role' })
  declare role?: string

  @flags.string({ description: 'A merge patch for the metadata, as JSON' })
  declare metadata?: string

  @flags.string({ description: 'A merge patch for what only administrators write, as JSON' })
  declare appMetadata?: string

  @flags.boolean({
    description: 'Whether the e-mail counts as verified',
    showNegatedVariantInHelp: true,
  })
  declare verified?: boolean

  #changes: UserEdit = {}

  override async perform() {
    this.#changes = await this.#validate()
    await super.perform()
  }

  async #validate() {
    const { updateUserValidator } = await import('#validators/users')
    const { email, username, handle, nickname, role, verified: emailVerified } = this
    const patches = {
      metadata: parsedPatch('--metadata', this.metadata),
      appMetadata: parsedPatch('--app-metadata', this.appMetadata),
    }
    const input = { email, username, handle, nickname, role, emailVerified, ...patches }
    if (Object.values(input).every((value) => value === undefined)) {
      throw new UsageError('Name what to change: see user:update --help')
    }
    const { currentPassword, code, pendingEmail, ...changes } =
      await updateUserValidator.validate(input)
    return { ...changes, ...patches }
  }

  protected async change(id: string) {
    const { editUser } = await import('#users/edit_user')
    return editUser(id, this.#changes, this.actor)
  }
}

function parsedPatch(flag: string, text?: string): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    throw new UsageError(`${flag} is no JSON`)
  }
}
