import type { ApplicationService } from '@adonisjs/core/types'

/** Prepares the database before the server listens, and prints its addresses afterwards. */
export default class ServerProvider {
  constructor(protected app: ApplicationService) {}

  get #isServing() {
    return this.app.getEnvironment() === 'web' && this.app.getMode() === 'run'
  }

  async start() {
    if (!this.#isServing) return
    const { default: env, settingWarnings } = await import('#start/env')
    const logger = await this.app.container.make('logger')
    for (const warning of settingWarnings) logger.warn(warning)
    const { assertAdminCredentials, ensureAdmin } = await import('#setup/first_run')
    assertAdminCredentials()
    if (env.get('AUTO_MIGRATE')) {
      const { migrate } = await import('#database/migrate')
      await migrate(this.app)
    }
    await ensureAdmin()
    const { prepareKeys } = await import('#auth/signing_keys/rotation')
    await prepareKeys()
  }

  async ready() {
    if (!this.#isServing) return
    const { printFirstRun } = await import('#setup/first_run')
    printFirstRun()
    const { startPruning } = await import('#maintenance/prune_expired')
    startPruning()
  }
}
