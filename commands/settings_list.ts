import { OperatorCommand } from './_operator_command.ts'
import type { Column } from './_table.ts'

const COLUMNS: Column[] = [
  { name: 'key', title: 'Setting', width: 26 },
  { name: 'value', title: 'Value', width: 39 },
  { name: 'source', title: 'From', width: 11 },
]

export default class SettingsList extends OperatorCommand {
  static commandName = 'settings:list'
  static description = 'List every setting with its value and where that comes from'
  static help = [
    'Of a secret it says “set”. --json tells defaults, meanings, and which can be changed',
    'without a restart.',
  ]

  async perform() {
    const { listSettings } = await import('#settings/list_settings')
    const { settings } = await listSettings()
    const rows = settings.map((each) => ({ ...each, value: each.value ?? '' }))
    this.print(this.json ? settings.map((each) => ({ ...each })) : rows, COLUMNS)
  }
}
