import { BaseCheck, Result } from '@adonisjs/core/health'
import { settingWarnings } from '#start/env'

export class SettingsCheck extends BaseCheck {
  name = 'settings'

  async run() {
    if (settingWarnings.length === 0) return Result.ok('each has an effect')
    const count = settingWarnings.length
    const message = count === 1 ? 'one has no effect' : `${count} have no effect`
    return Result.warning(message).setMetaData({ remedy: settingWarnings.join('. ') })
  }
}
