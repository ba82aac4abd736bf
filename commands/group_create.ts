import { args, flags } from '@adonisjs/core/ace'
import { recordOf } from './_group_records.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class GroupCreate extends OperatorCommand {
  static commandName = 'group:create'
  static description = 'Make a group, which applications learn by its name'
  static help = [
    'Examples:',
    '  {{ binaryName }} group:create admins',
    '  {{ binaryName }} group:create Staff/Berlin --title="Staff in Berlin"',
  ]

  @args.string({ description: 'Unique without regard to case' })
  declare name: string

  @flags.string({ description: 'What people read' })
  declare title?: string

  @flags.string({ description: 'What it is for' })
  declare description?: string

  async perform() {
    const { createGroupValidator } = await import('#validators/groups')
    const { createGroup } = await import('#groups/groups')
    const { name, title, description } = this
    const given = await createGroupValidator.validate({ name, title, description })
    this.printRecord(recordOf(await createGroup(given, this.actor)))
  }
}
