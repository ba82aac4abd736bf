import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { args } from '@adonisjs/core/ace'
import { unreadableFile, UsageError } from './_exit_codes.ts'
import { SettingCommand } from './_setting_command.ts'

export default class SettingsSet extends SettingCommand {
  static commandName = 'settings:set'
  static description = 'Change a setting that needs no restart, on every running server'
  static help = [
    'Works even if no server runs, and with SETTINGS_IN_CONSOLE=off. The environment wins.',
    'A secret is read only from standard input. BRAND_LOGO takes the path of a picture,',
    'or the picture itself from standard input.',
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
    await this.assertKnown()
    const by = { actor: this.actor, ifMatch: null }
    if (this.key === 'BRAND_LOGO') {
      const { changeBrandLogo } = await import('#settings/brand_logo')
      await changeBrandLogo(await this.#readPicture(), by)
    } else {
      const { changeSettings } = await import('#settings/change_settings')
      await changeSettings({ [this.key]: await this.#read() }, by)
    }
    await this.done(`${this.key} is set.`)
  }

  async #read() {
    const { isSecretSetting, isWritableSetting } = await import('#settings/values/definitions')
    if (!isWritableSetting(this.key)) return this.value
    if (this.value === '-') return this.secret(this.key)
    if (!isSecretSetting(this.key)) return this.value
    throw new UsageError(`A secret is read from standard input: settings:set ${this.key} -`)
  }

  #readPicture() {
    const source = this.value === '-' ? process.stdin : createReadStream(this.path(this.value))
    return read(source).catch((error) => {
      throw error.code ? new UsageError(`${this.value} ${unreadableFile(error)}`) : error
    })
  }
}

/** Reads at most as many bytes as a logo may have, because a device would never end. */
async function read(source: Readable) {
  const { default: limits } = await import('#config/limits')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > limits.brandLogoBytes) throw new UsageError('A logo has at most 256 KB')
  }
  return Buffer.concat(chunks)
}
