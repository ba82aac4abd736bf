import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

/** A command that lists what an account has, or what all accounts have. */
export abstract class AccountListCommand extends OperatorCommand {
  @args.string({
    argumentName: 'account',
    description: 'E-mail, handle or id of an account; all accounts unless given',
    required: false,
  })
  declare name?: string

  @flags.string({ description: 'The account, instead of the argument' })
  declare user?: string

  @flags.number({ description: 'Entries to list at most', default: 50 })
  declare limit: number

  /** Returns the id of the named account; undefined for all accounts. */
  protected async userId() {
    const name = this.name ?? this.user
    if (!name) return undefined
    const { getUserByNameOrFail } = await import('#users/find_user')
    const { id } = await getUserByNameOrFail(name)
    return id
  }
}
