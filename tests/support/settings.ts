import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { refreshSettings } from '#settings/values/ensure_settings'

/** Other tests meet what is stored, so each test takes it back. */
export async function forgetSettings() {
  await db.from('settings').delete()
  await db.from('external_providers').delete()
  await refreshSettings()
}

/** Each change mails administrators, whom other tests have left by the hundred. */
export async function withoutSettingsMails<Result>(act: () => PromiseLike<Result>) {
  const { settingsMailRecipients } = limits
  Object.assign(limits, { settingsMailRecipients: 0 })
  try {
    return await act()
  } finally {
    Object.assign(limits, { settingsMailRecipients })
  }
}
