import { join, resolve } from 'node:path'
import env from '#start/env'

export const defaultFolder = join(env.get('DATA_DIR'), 'backups')

export default {
  /** In milliseconds; null if no backups are scheduled. */
  everyMs: env.get('BACKUP_EVERY'),

  folder: resolve(env.get('BACKUP_DIR') ?? defaultFolder),

  keep: env.get('BACKUP_KEEP'),

  recipients: env.get('BACKUP_RECIPIENT'),

  lookMs: 60_000,

  /** Another process takes over from a process that is silent for this long. */
  leaseMs: 60_000,

  renewMs: 15_000,

  retryMs: 3_600_000,

  mailMs: 86_400_000,

  /** A backup that was never opened may be unusable. */
  unverifiedMs: 90 * 86_400_000,
}
