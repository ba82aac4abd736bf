import { flags } from '@adonisjs/core/ace'
import { GROUP_COLUMNS, recordOf } from './_group_records.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class GroupList extends OperatorCommand {
  static commandName = 'group:list'
  static description = 'List groups by name'
  static help = [
    'Examples:',
    '  {{ binaryName }} group:list',
    '  {{ binaryName }} group:list --search=staff --json',
  ]

  @flags.string({ description: 'A part of a name or of a title' })
  declare search?: string

  async perform() {
    const { default: limits } = await import('#config/limits')
    const { listGroups } = await import('#groups/list_groups')
    const { groups } = await listGroups({ search: this.search, limit: limits.groups })
    this.print(groups.map(recordOf), GROUP_COLUMNS)
  }
}
