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
    'A secret is shown as “set”. A secret from DATA_DIR is one that Gatehouse made and keeps in',
    'DATA_DIR/secrets.json. --json adds defaults, meanings, and which settings can change',
    'without a restart; there, as in the API, such a secret is a default.',
    '',
    'Examples:',
    '  {{ binaryName }} settings:list',
    '  {{ binaryName }} settings:list --json',
  ]

  async perform() {
    const { listSettings } = await import('#settings/list_settings')
    const { settings } = await listSettings()
    const { isGenerated } = await import('#setup/environment/secrets')
    const rows = settings.map((each) => ({
      ...each,
      value: each.value ?? '',
      source: isGenerated(each.key) ? 'DATA_DIR' : each.source,
    }))
    this.print(this.json ? settings.map((each) => ({ ...each })) : rows, COLUMNS)
  }
}
