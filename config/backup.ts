import { join, resolve } from 'node:path'
import env from '#start/env'

export default {
  /** In milliseconds; null where no backup is made by itself. */
  everyMs: env.get('BACKUP_EVERY'),

  folder: resolve(env.get('BACKUP_DIR') ?? join(env.get('DATA_DIR'), 'backups')),

  keep: env.get('BACKUP_KEEP'),

  recipients: env.get('BACKUP_RECIPIENT'),

  lookMs: 60_000,

  /** Another process takes over from one that is silent for so long. */
  leaseMs: 60_000,

  renewMs: 15_000,

  retryMs: 3_600_000,

  mailMs: 86_400_000,

  /** A backup that was never opened may be none. */
  unverifiedMs: 90 * 86_400_000,
}
