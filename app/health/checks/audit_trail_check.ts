import { BaseCheck, Result } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import { isSealOverdue } from '#audit/chain/unsealed'

/** Every event is sealed in time. `audit:verify` reads the whole chain, which may take minutes. */
export class AuditTrailCheck extends BaseCheck {
  name = 'audit trail'

  async run() {
    if (!(await isSealOverdue(db.connection()))) return Result.ok('every event is sealed in time')
    const remedy = 'Start the product; audit:verify names what it cannot seal.'
    return Result.failed('events are not sealed in time').setMetaData({ remedy })
  }
}
