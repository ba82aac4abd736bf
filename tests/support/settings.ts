import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { refreshSettings } from '#settings/values/ensure_settings'
import type { Group } from '@japa/runner/core'

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

/** For tests of something else than these mails. */
export function silenceSettingsMails(group: Group) {
  group.each.setup(() => {
    const { settingsMailRecipients } = limits
    Object.assign(limits, { settingsMailRecipients: 0 })
    return () => void Object.assign(limits, { settingsMailRecipients })
  })
}

const HIDDEN = { disabled_reason: 'hidden by a test' }

/** Mails to the administrators of all other tests would take minutes. */
export function hideOtherAdmins(group: Group) {
  group.setup(async () => {
    const active = db.from('users').where('role', 'Admin').whereNull('disabled_at')
    await active.update({ ...HIDDEN, disabled_at: Date.now() })
    const shown = { disabled_at: null, disabled_reason: null }
    return async () => void (await db.from('users').where(HIDDEN).update(shown))
  })
}
