import { args, flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

export default class UserDelete extends OperatorCommand {
  static commandName = 'user:delete'
  static description = 'Delete accounts with their sessions, codes and pictures'
  static help = [
    'Examples:',
    '  {{ binaryName }} user:delete ada@example.org',
    '  {{ binaryName }} user:delete ada@example.org grace@example.org --yes',
  ]

  @args.spread({ description: 'E-mails, handles or ids' })
  declare users: string[]

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { deleteUser } = await import('#users/delete_user')
    await this.confirm(`Delete ${this.users.join(', ')} for good?`, this.yes)
    const deleted = await this.eachUser(this.users, async ({ id, email }) => {
      await deleteUser(id, this.actor)
      return { id, email, deleted: true }
    })
    this.print(deleted, [
      { name: 'email', title: 'Deleted', width: 40 },
      { name: 'id', title: 'Id', width: 36 },
    ])
  }
}
