import { defaultUrl } from '#config/app'
import { defaultFolder } from '#config/backup'
import { loopbackAddresses } from '#setup/environment/loopback'
import type { SettingName } from './definitions.ts'

/** What holds where a setting is not given and its rule has no default. */
const DERIVED_DEFAULTS: Partial<Record<SettingName, () => string>> = {
  APP_URL: () => defaultUrl,
  BACKUP_DIR: () => defaultFolder,
  HOST: () => loopbackAddresses()[0],
}

export function derivedDefault(name: SettingName) {
  return DERIVED_DEFAULTS[name]?.() ?? null
}
