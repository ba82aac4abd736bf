import { OperatorCommand } from './_operator_command.ts'

export default class ConfigExport extends OperatorCommand {
  static commandName = 'config:export'
  static description = 'Print groups, applications, webhooks and service accounts as a file'
  static help = [
    'config:apply takes the file, and changes only what has changed since. The file contains',
    'no secrets: a comment shows where to name them.',
    '',
    'Examples:',
    '  {{ binaryName }} config:export > gatehouse.yaml',
    '  {{ binaryName }} config:export --json',
  ]

  async perform() {
    const { exportConfiguration } = await import('#configuration/export/export')
    const lists = await exportConfiguration()
    if (this.json) {
      const plain = Object.entries(lists).map(([name, entries]) => [
        name,
        entries.map(({ fields }) => fields),
      ])
      return this.printJson(Object.fromEntries(plain))
    }
    const { toYaml } = await import('#configuration/export/write_yaml')
    process.stdout.write(await toYaml(lists))
  }
}
