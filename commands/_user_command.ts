import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'
import { recordOf, rowOf, USER_COLUMNS } from './_user_records.ts'
import type User from '#models/user'

export abstract class UserCommand extends OperatorCommand {
  @args.spread({ description: 'E-mails, handles or ids' })
  declare users: string[]

  async perform() {
    const show = this.json ? recordOf : rowOf
    const records = await this.eachUser(this.users, async (user) =>
      show(await this.change(user.id))
    )
    this.print(records, USER_COLUMNS)
  }

  protected abstract change(id: string): Promise<User>
}
