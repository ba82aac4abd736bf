import { args, flags } from '@adonisjs/core/ace'
import { GROUP_COLUMNS, recordOf } from './_group_records.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class GroupDelete extends OperatorCommand {
  static commandName = 'group:delete'
  static description = 'Delete a group; its members keep their accounts'
  static help = [
    'Examples:',
    '  {{ binaryName }} group:delete Staff/Berlin',
    '  {{ binaryName }} group:delete Staff/Berlin --yes --json',
  ]

  @args.string({ description: 'Name or id' })
  declare group: string

  @flags.boolean({ description: 'Do not ask' })
  declare yes: boolean

  async perform() {
    const { getGroupByNameOrFail } = await import('#groups/group_rows')
    const { deleteGroup } = await import('#groups/groups')
    const { finishDeletions } = await import('#groups/finish_deletions')
    const { id, name, memberCount } = await getGroupByNameOrFail(this.group)
    await this.confirm(`Delete ${name} with ${memberCount} members?`, this.yes)
    const deleted = await deleteGroup(id, this.actor)
    // This process ends now, so the work in the background has to finish first.
    await finishDeletions()
    this.print([recordOf(deleted)], GROUP_COLUMNS)
  }
}
