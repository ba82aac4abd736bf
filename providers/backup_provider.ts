import type { ApplicationService } from '@adonisjs/core/types'

export default class BackupProvider {
  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { startScheduledBackups } = await import('#backup/scheduled/schedule')
    startScheduledBackups()
  }

  async shutdown() {
    if (!this.app.isReady || this.app.getEnvironment() !== 'web') return
    const { stopScheduledBackups } = await import('#backup/scheduled/schedule')
    await stopScheduledBackups()
  }
}
