import type { ApplicationService } from '@adonisjs/core/types'

/** Runs the mail worker while the server listens, and lets it finish its deliveries before the process ends. */
export default class MailWorkerProvider {
  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { startMailWorker } = await import('#mails/mail_worker')
    startMailWorker()
  }

  async shutdown() {
    if (this.app.getEnvironment() !== 'web') return
    const { stopMailWorker } = await import('#mails/mail_worker')
    await stopMailWorker()
  }
}
