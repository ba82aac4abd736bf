import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { findSealLag } from '#audit/chain/unsealed'

/** Every event is sealed in time. `audit:verify` reads the whole chain, which may take minutes. */
export class AuditTrailCheck extends BaseCheck {
  name = 'audit trail'

  async run() {
    const lagMs = await findSealLag(db.connection())
    if (lagMs <= settings.sealOverdueMs) return Result.ok('every event is sealed in time')
    const message = `the oldest event without a seal waits for ${Math.round(lagMs / 1_000)} s`
    const remedy =
      'Run audit:verify, which names forged events; if it names none, see that a process runs.'
    return Result.failed(message).setMetaData({ remedy })
  }
}
