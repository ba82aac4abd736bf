import settings from '#config/backup'
import type { ApplicationService } from '@adonisjs/core/types'

export default class BackupProvider {
  constructor(protected app: ApplicationService) {}

  /** Recipients are not checked with the other settings, because each command would load age. */
  async start() {
    if (!this.#isServer) return
    const { assertRecipients } = await import('#setup/environment/assertions')
    await assertRecipients(settings.recipients)
  }

  async ready() {
    if (!this.#isServer) return
    const { startScheduledBackups } = await import('#backup/scheduled/schedule')
    startScheduledBackups()
  }

  get #isServer() {
    return this.app.getEnvironment() === 'web' && this.app.getMode() === 'run'
  }

  async shutdown() {
    if (!this.app.isReady || this.app.getEnvironment() !== 'web') return
    const { stopScheduledBackups } = await import('#backup/scheduled/schedule')
    await stopScheduledBackups()
  }
}
