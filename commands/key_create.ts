import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class KeyCreate extends OperatorCommand {
  static commandName = 'key:create'
  static description = 'Create an API key for an account and print it, once'
  static help = [
    'Scopes are separated by commas. A key lives for 90 days unless --expires names a time.',
    '',
    'Examples:',
    '  {{ binaryName }} key:create ada@example.org --name=Report --scopes=users:read',
    '  {{ binaryName }} key:create ada@example.org --name=Report \\',
    '    --scopes=users:read,audit:read --expires=2027-01-31T00:00:00Z',
  ]

  @args.string({ argumentName: 'account', description: 'E-mail, handle or id of the owner' })
  declare user: string

  @flags.string({ description: 'What the key is for' })
  declare name?: string

  @flags.string({ description: 'What the key may do' })
  declare scopes?: string

  @flags.string({ description: 'When it ends, such as 2027-01-31T00:00:00Z' })
  declare expires?: string

  async perform() {
    const { createKeyValidator } = await import('#validators/api_keys')
    const { getUserByNameOrFail } = await import('#users/find_user')
    const { createKey } = await import('#auth/api_keys/create_key')
    const { name, scopes, expires: expiresAt } = this
    if (!name || !scopes) throw new UsageError('--name and --scopes are needed. See --help.')
    const listed = scopes.split(',').map((scope) => scope.trim())
    const newKey = await createKeyValidator.validate({ name, scopes: listed, expiresAt })
    const owner = await getUserByNameOrFail(this.user)
    const { record, key } = await createKey(owner.id, newKey, this.actor).catch((error) =>
      nameScopes(error, listed, owner)
    )
    this.printRecord({ ...record, key })
    this.tell('Keep the key now: it is not shown again.')
  }
}

async function nameScopes(
  error: any,
  asked: string[],
  owner: { role: string; kind: string }
): Promise<never> {
  if (error.code !== 'E_INSUFFICIENT_SCOPE') throw error
  const { scopesOf } = await import('#auth/api_keys/scopes')
  const open: readonly string[] = scopesOf(owner)
  const beyond = asked.filter((scope) => !open.includes(scope))
  error.message = `--scopes: the role ${owner.role} does not open ${beyond.join(', ')}`
  throw error
}
