import db from '@adonisjs/lucid/services/db'
import { refreshSettings } from '#settings/values/ensure_settings'
import { useLimits, withLimits } from './limits.ts'
import type { Group } from '@japa/runner/core'

/** Other tests meet what is stored, so each test takes it back. */
export async function forgetSettings() {
  await db.from('settings').delete()
  await db.from('external_providers').delete()
  await refreshSettings()
}

/** Each change mails administrators, whom other tests have left by the hundred. */
export function withoutSettingsMails<Result>(act: () => PromiseLike<Result>) {
  return withLimits({ settingsMailRecipients: 0 }, act)
}

/** For tests of something else than these mails. */
export function silenceSettingsMails(group: Group) {
  useLimits(group, { settingsMailRecipients: 0 })
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
