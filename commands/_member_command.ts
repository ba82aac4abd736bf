import { args } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

export abstract class MemberCommand extends OperatorCommand {
  @args.string({ description: 'Name or id of the group' })
  declare group: string

  @args.spread({ description: 'E-mails, handles or ids of accounts' })
  declare users: string[]

  async perform() {
    const { getGroupByNameOrFail } = await import('#groups/group_rows')
    const { groupNamesOf } = await import('#groups/names_of')
    const { default: User } = await import('#models/user')
    const { id: groupId } = await getGroupByNameOrFail(this.group)
    const records = await this.eachUser(this.users, async ({ id, label }) => {
      await this.change(id, groupId)
      const names = await groupNamesOf(await User.findOrFail(id))
      return { account: label, groups: this.json ? names : names.join(', ') }
    })
    this.print(records, [
      { name: 'account', title: 'Account', width: 36 },
      { name: 'groups', title: 'Groups now', width: 42 },
    ])
  }

  protected abstract change(userId: string, groupId: string): Promise<unknown>
}
