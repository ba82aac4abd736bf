import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { ApplicationService } from '@adonisjs/core/types'

/** Runs the pending migrations and tells which ran. */
export async function migrate(app: ApplicationService) {
  const db = await app.container.make('lucid.db')
  const runner = new MigrationRunner(db, app, { direction: 'up', dryRun: false })
  await runner.run()
  if (runner.error) throw runner.error
  return runner.migratedFiles
}
