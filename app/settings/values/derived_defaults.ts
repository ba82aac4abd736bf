import { join } from 'node:path'
import env from '#start/env'
import { loopbackAddresses } from '#setup/environment/loopback'
import type { SettingName } from './definitions.ts'

/** What holds where a setting is not given and its rule has no default. */
export const DERIVED_DEFAULTS: Partial<Record<SettingName, string>> = {
  APP_URL: `http://localhost:${env.get('PORT')}`,
  BACKUP_DIR: join(env.get('DATA_DIR'), 'backups'),
  HOST: loopbackAddresses()[0],
}
