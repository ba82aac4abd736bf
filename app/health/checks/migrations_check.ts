import app from '@adonisjs/core/services/app'
import { BaseCheck } from '@adonisjs/core/health'
import { findPending } from '#database/migrate'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'

export class MigrationsCheck extends BaseCheck {
  name = 'migrations'

  async run() {
    const pending = await findPending(app)
    if (pending.length === 0) return passed(sentence('migrations.good'))
    const finding = sentence('migrations.pending', { count: pending.length })
    return failed(finding, sentence('migrations.remedy'))
  }
}
