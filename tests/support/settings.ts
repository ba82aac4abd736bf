import db from '@adonisjs/lucid/services/db'
import { refreshSettings } from '#settings/values/ensure_settings'

/** Other tests meet what is stored, so each test takes it back. */
export async function forgetSettings() {
  await db.from('settings').delete()
  await db.from('external_providers').delete()
  await refreshSettings()
}
