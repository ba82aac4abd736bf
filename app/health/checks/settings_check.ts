import { BaseCheck, Result } from '@adonisjs/core/health'
import { settingWarnings } from '#start/env'
import { differingSettings } from '#settings/digests'

export class SettingsCheck extends BaseCheck {
  name = 'settings'

  async run() {
    const differing = await differingSettings()
    if (differing.length > 0) return this.#differ(differing)
    if (settingWarnings.length === 0) return Result.ok('each has an effect')
    const count = settingWarnings.length
    const message = count === 1 ? 'one has no effect' : `${count} have no effect`
    return Result.warning(message).setMetaData({ remedy: settingWarnings.join('. ') })
  }

  #differ(names: string[]) {
    const remedy = [
      'Give every process the same environment, and restart those that were started before.',
      ...settingWarnings,
    ]
    const message = `running processes differ in ${names.join(', ')}`
    return Result.warning(message).setMetaData({ remedy: remedy.join(' ') })
  }
}
