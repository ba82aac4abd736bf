import { BaseCheck, Result } from '@adonisjs/core/health'
import { ineffectiveSettings, settingWarnings } from '#start/env'
import { differingSettings } from '#settings/digests'

export class SettingsCheck extends BaseCheck {
  name = 'settings'

  async run() {
    const differing = await differingSettings()
    if (differing.length > 0) return this.#differ(differing)
    if (settingWarnings.length === 0) return Result.ok('each has an effect')
    return Result.warning(messageOf()).setMetaData({ remedy: settingWarnings.join('. ') })
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

/** A setting can have an effect and still need another value. */
function messageOf() {
  const count = settingWarnings.length
  if (count === ineffectiveSettings.length)
    return count === 1 ? 'one has no effect' : `${count} have no effect`
  return count === 1 ? 'one needs attention' : `${count} need attention`
}
