import app from '@adonisjs/core/services/app'
import { BaseCheck, Result } from '@adonisjs/core/health'
import { MigrationRunner } from '@adonisjs/lucid/migration'

/** The tables are those of this version of the product. */
export class MigrationsCheck extends BaseCheck {
  name = 'migrations'

  async run() {
    const database = await app.container.make('lucid.db')
    const migrations = await new MigrationRunner(database, app, { direction: 'up' }).getList()
    const pending = migrations.filter(({ status }) => status === 'pending')
    if (pending.length === 0) return Result.ok('the tables are up to date')
    const remedy = 'Start with AUTO_MIGRATE=true, or run migration:run.'
    return Result.failed(`${pending.length} migrations are pending`).setMetaData({ remedy })
  }
}
