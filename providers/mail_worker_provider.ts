import type { ApplicationService } from '@adonisjs/core/types'

/** Delivers queued mails while the server listens, and hands in what it has in hand before it ends. */
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
