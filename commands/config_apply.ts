import { args, flags } from '@adonisjs/core/ace'
import { EXIT, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { ConfigurationChange } from '#configuration/apply/apply'

const COLUMNS = [
  { name: 'action', title: 'Action', width: 6 },
  { name: 'kind', title: 'Kind', width: 15 },
  { name: 'name', title: 'Name', width: 28 },
  { name: 'fields', title: 'Fields', width: 25 },
]

export default class ConfigApply extends OperatorCommand {
  static commandName = 'config:apply'
  static description = 'Make groups, applications, webhooks and service accounts as files say'
  static help = [
    'Either all files are applied, or none. Change a record only in the file that',
    'names it. Once no file names it, you can change it anywhere.',
    'The exit code is 2 if a file has an error. With --check it is 1 if something',
    'would change.',
    '',
    'Examples:',
    '  {{ binaryName }} config:apply gatehouse.yaml --check',
    '  {{ binaryName }} config:apply groups.yaml clients.yaml',
    '  {{ binaryName }} config:apply staging.yaml --prune',
  ]

  @args.spread({ description: 'YAML files' })
  declare files: string[]

  @flags.boolean({ description: 'Say what would change, and change nothing' })
  declare check: boolean

  @flags.boolean({ description: 'Remove what the source of the file made and no file names' })
  declare prune: boolean

  async perform() {
    const { applyConfiguration } = await import('#configuration/apply/apply')
    const paths = this.files.map((file) => this.path(file))
    const options = { actor: this.actor, isCheck: this.check, isPruning: this.prune }
    const applied = await applyConfiguration(paths, options).catch((error) => {
      throw error.code === 'E_CONFIGURATION_FILES' ? new UsageError(error.message) : error
    })
    const { changes, managed, released } = applied
    if (changes.length > 0) this.#printChanges(changes)
    else if (this.json) this.printJson([])
    if (changes.length === 0) this.tell('Nothing to change.')
    this.tell(`Managed by these files: ${managed}. Released: ${released}.`)
    if (!this.check) return
    this.tell('Nothing was changed: this was a check.')
    if (changes.length > 0) this.exitCode = EXIT.failed
  }

  #printChanges(changes: ConfigurationChange[]) {
    if (this.json) return this.printJson(changes)
    const rows = changes.map(({ fields, ...change }) => ({ ...change, fields: fields.join(' ') }))
    this.print(rows, COLUMNS)
  }
}
