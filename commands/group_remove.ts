import { MemberCommand } from './_member_command.ts'

export default class GroupRemove extends MemberCommand {
  static commandName = 'group:remove'
  static description = 'Take accounts out of a group'
  static help = ['Examples:', '  {{ binaryName }} group:remove Staff/Berlin ada@example.org']

  protected async change(userId: string, groupId: string) {
    const { removeMember } = await import('#groups/members')
    await removeMember(userId, groupId, this.actor)
  }
}
