import { args } from '@adonisjs/core/ace'
import { SettingCommand } from './_setting_command.ts'

export default class SettingsUnset extends SettingCommand {
  static commandName = 'settings:unset'
  static description = 'Remove the stored value of a setting, so that its default applies'
  static help = [
    'Works even if no server runs, and with SETTINGS_IN_CONSOLE=off.',
    '',
    'Examples:',
    '  {{ binaryName }} settings:unset ADMIN_REQUIRE_MFA',
  ]

  @args.string({ description: 'Name of the setting' })
  declare key: string

  async perform() {
    await this.assertKnown()
    const { changeSettings } = await import('#settings/change_settings')
    await changeSettings({ [this.key]: null }, { actor: this.actor, ifMatch: null })
    await this.done(`${this.key} is back to its default.`)
  }
}
