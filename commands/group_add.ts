import { MemberCommand } from './_member_command.ts'

export default class GroupAdd extends MemberCommand {
  static commandName = 'group:add'
  static description = 'Add accounts to a group'
  static help = [
    'Examples:',
    '  {{ binaryName }} group:add Staff/Berlin ada@example.org grace@example.org',
  ]

  protected async change(userId: string, groupId: string) {
    const { addMember } = await import('#groups/members')
    await addMember(userId, groupId, this.actor)
  }
}
