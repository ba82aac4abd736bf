import { readFile } from 'node:fs/promises'
import { args } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

export default class SettingsSet extends OperatorCommand {
  static commandName = 'settings:set'
  static description = 'Change a setting that needs no restart, on every running server'
  static help = [
    'Works while no server runs, and with SETTINGS_IN_CONSOLE=off. The environment wins.',
    'A secret is read from standard input alone. BRAND_LOGO takes the path of a picture.',
    '',
    'Examples:',
    '  {{ binaryName }} settings:set SIGN_UP invite',
    '  {{ binaryName }} settings:set SMTP_PASSWORD - < password.txt',
    '  {{ binaryName }} settings:set BRAND_LOGO logo.png',
  ]

  @args.string({ description: 'Name of the setting' })
  declare key: string

  @args.string({ description: 'Value as in the environment; - reads standard input' })
  declare value: string

  async perform() {
    const by = { actor: this.actor, ifMatch: null }
    if (this.key === 'BRAND_LOGO') {
      const { changeBrandLogo } = await import('#settings/brand_logo')
      await changeBrandLogo(await readPicture(this.value), by)
    } else {
      const { changeSettings } = await import('#settings/change_settings')
      await changeSettings({ [this.key]: await this.#read() }, by)
    }
    this.tell(`${this.key} is set.`)
  }

  async #read() {
    const { isSecretSetting } = await import('#settings/values/definitions')
    if (this.value === '-') return this.secret(this.key)
    if (!isSecretSetting(this.key)) return this.value
    throw new UsageError(`A secret is read from standard input: settings:set ${this.key} -`)
  }
}

async function readPicture(path: string) {
  const { default: limits } = await import('#config/limits')
  const file = await readFile(path).catch((error) => {
    throw new UsageError(`${path} cannot be read (${error.code})`)
  })
  if (file.length > limits.brandLogoBytes) throw new UsageError('A logo has at most 256 KB')
  return file
}
