import { BaseCheck } from '@adonisjs/core/health'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { findSealLag } from '#audit/chain/unsealed'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'

/** Checks that events are sealed in time. `audit:verify` reads all of them, maybe for minutes. */
export class AuditTrailCheck extends BaseCheck {
  name = 'audit log'

  async run() {
    const lagMs = await findSealLag(db.connection())
    if (lagMs <= settings.sealOverdueMs) return passed(sentence('audit.good'))
    const finding = sentence('audit.unsealed', { seconds: Math.round(lagMs / 1_000) })
    return failed(finding, sentence('audit.remedy'))
  }
}
