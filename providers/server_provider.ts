import type { ApplicationService } from '@adonisjs/core/types'

/** Readies the database before the server listens, and tells where it is once it does. */
export default class ServerProvider {
  constructor(protected app: ApplicationService) {}

  get #isServing() {
    return this.app.getEnvironment() === 'web' && this.app.getMode() === 'run'
  }

  async start() {
    if (!this.#isServing) return
    const { default: env } = await import('#start/env')
    const { assertNamedAdministrator, ensureAdmin } = await import('#setup/first_run')
    assertNamedAdministrator()
    if (env.get('AUTO_MIGRATE')) {
      const { migrate } = await import('#database/migrate')
      await migrate(this.app)
    }
    await ensureAdmin()
  }

  async ready() {
    if (!this.#isServing) return
    const { printFirstRun } = await import('#setup/first_run')
    printFirstRun()
    const { startPruning } = await import('#auth/prune_expired')
    startPruning()
  }
}
