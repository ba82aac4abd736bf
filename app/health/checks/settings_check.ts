import { BaseCheck } from '@adonisjs/core/health'
import { ineffectiveSettings, settingWarnings } from '#start/env'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { differingSettings } from '#settings/digests'

export class SettingsCheck extends BaseCheck {
  name = 'settings'

  async run() {
    const differing = await differingSettings()
    if (differing.length > 0) return this.#differ(differing)
    if (settingWarnings.length === 0) return passed(sentence('settings.good'))
    return warning(finding(), ...settingWarnings)
  }

  #differ(names: string[]) {
    const found = sentence('settings.differ', { names: names.join(', ') })
    return warning(found, sentence('settings.differ_remedy'), ...settingWarnings)
  }
}

/** A setting can have an effect and still need another value. */
function finding() {
  const count = settingWarnings.length
  return count === ineffectiveSettings.length
    ? sentence('settings.no_effect', { count })
    : sentence('settings.attention', { count })
}
