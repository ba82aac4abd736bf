import app from '@adonisjs/core/services/app'
import { BaseCheck, Result } from '@adonisjs/core/health'
import { findPending } from '#database/migrate'

export class MigrationsCheck extends BaseCheck {
  name = 'migrations'

  async run() {
    const pending = await findPending(app)
    if (pending.length === 0) return Result.ok('the tables are up to date')
    const remedy = 'Start with AUTO_MIGRATE=true, or run migration:run.'
    return Result.failed(`${pending.length} migrations are pending`).setMetaData({ remedy })
  }
}
