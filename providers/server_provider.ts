import type { ApplicationService } from '@adonisjs/core/types'

export default class ServerProvider {
  constructor(protected app: ApplicationService) {}

  get #isServing() {
    return this.app.getEnvironment() === 'web' && this.app.getMode() === 'run'
  }

  async start() {
    if (!this.#isServing) return
    const { default: env, settingWarnings } = await import('#start/env')
    const { inEnglish } = await import('#i18n/sentences')
    const logger = await this.app.container.make('logger')
    for (const warning of settingWarnings) logger.warn(inEnglish(warning))
    const { assertAdminCredentials, ensureAdmin } = await import('#setup/first_run')
    assertAdminCredentials()
    const { assertMigrated, migrate } = await import('#database/migrate')
    if (env.get('AUTO_MIGRATE')) await migrate(this.app)
    else await assertMigrated(this.app)
    const { assertNoUnfinishedRestore } = await import('#backup/restore/unfinished')
    // A running restore holds the lock for which a write would wait.
    await assertNoUnfinishedRestore()
    const { writeOnce } = await import('#setup/writable_database')
    await writeOnce(await this.app.container.make('lucid.db'))
    await this.#register()
    const { endSessionsAfterSwitch } = await import('#auth/store/switched_store')
    await endSessionsAfterSwitch()
    await ensureAdmin()
    const { applyAtStart } = await import('#configuration/apply/at_start')
    await applyAtStart()
    const { prepareKeys } = await import('#auth/signing_keys/prepare_keys')
    await prepareKeys()
  }

  /** A restore that begins at this moment finds this process, or this process finds the restore. */
  async #register() {
    const { assertNoUnfinishedRestore } = await import('#backup/restore/unfinished')
    const { registerProcess, unregisterProcess } = await import('#processes/live_processes')
    await registerProcess()
    try {
      await assertNoUnfinishedRestore()
    } catch (error) {
      await unregisterProcess()
      throw error
    }
  }

  async ready() {
    if (!this.#isServing) return
    const { printFirstRun } = await import('#setup/print_first_run')
    printFirstRun()
    const { startPruning } = await import('#maintenance/prune_expired')
    startPruning()
    await this.#warmUp()
  }

  /** Logs that a library did not load; its first request then fails. */
  async #warmUp() {
    const { stopWarmUp, warmUp } = await import('#setup/warm_up')
    const logger = await this.app.container.make('logger')
    this.app.terminating(stopWarmUp)
    warmUp().catch((error) => logger.warn({ err: error }, 'a library was not loaded'))
  }
}
