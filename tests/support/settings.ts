import db from '@adonisjs/lucid/services/db'
import { refreshSettings } from '#settings/values/ensure_settings'
import { useLimits, withLimits } from './limits.ts'
import type { Group } from '@japa/runner/core'

/** Deletes stored settings after a test, because they would affect other tests. */
export async function forgetSettings() {
  await db.from('settings').delete()
  await db.from('external_providers').delete()
  await refreshSettings()
}

/** Sends no mails: each change would mail the hundreds of administrators of other tests. */
export function withoutSettingsMails<Result>(act: () => PromiseLike<Result>) {
  return withLimits({ settingsMailRecipients: 0 }, act)
}

/** For tests that do not test these mails. */
export function silenceSettingsMails(group: Group) {
  useLimits(group, { settingsMailRecipients: 0 })
}

const HIDDEN = { disabled_reason: 'hidden by a test' }

/** Hides administrators of all other tests, because mails to them would take minutes. */
export function hideOtherAdmins(group: Group) {
  group.setup(async () => {
    const active = db.from('users').where('role', 'Admin').whereNull('disabled_at')
    await active.update({ ...HIDDEN, disabled_at: Date.now() })
    const shown = { disabled_at: null, disabled_reason: null }
    return async () => void (await db.from('users').where(HIDDEN).update(shown))
  })
}
