import { args } from '@adonisjs/core/ace'
import { recordOf } from './_group_records.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { GroupMember } from '#groups/list_members'

const MEMBER_COLUMNS = [
  { name: 'email', title: 'Member', width: 40 },
  { name: 'username', title: 'Name', width: 24 },
  { name: 'since', title: 'Since', width: 10 },
]

/** A longer table would help no reader; `user:list --group` has pages. */
const MOST = 1_000

export default class GroupShow extends OperatorCommand {
  static commandName = 'group:show'
  static description = 'Show a group and its first 1,000 members'
  static help = [
    'user:list --group lists all members, with every filter.',
    '',
    'Examples:',
    '  {{ binaryName }} group:show Staff/Berlin',
    '  {{ binaryName }} group:show Staff/Berlin --json',
  ]

  @args.string({ description: 'Name or id' })
  declare group: string

  async perform() {
    const { getGroupByNameOrFail } = await import('#groups/group_rows')
    const { listMembers } = await import('#groups/list_members')
    const group = await getGroupByNameOrFail(this.group)
    const { members } = await listMembers(group.id, { limit: MOST })
    if (this.json) return this.printRecord({ ...group, members })
    this.printRecord(recordOf(group))
    if (members.length === 0) return
    process.stdout.write('\n')
    this.print(members.map(rowOf), MEMBER_COLUMNS)
  }
}

function rowOf({ email, username, addedAt }: GroupMember) {
  return { email: email ?? 'service account', username, since: addedAt.slice(0, 10) }
}
