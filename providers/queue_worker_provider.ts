import type { ApplicationService } from '@adonisjs/core/types'

/** Jobs that are under way finish before the process ends. */
export default class QueueWorkerProvider {
  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { startWorker } = await import('#queue/workers')
    const { CLIENT_QUEUE, LOGOUT_QUEUE, MAIL_QUEUE } = await import('#config/queue')
    const { default: oidc } = await import('#config/oidc')
    startWorker(MAIL_QUEUE)
    // A client can be deleted while the provider is off, and its sessions then also have to end.
    startWorker(CLIENT_QUEUE)
    if (oidc.isOn) startWorker(LOGOUT_QUEUE)
  }

  async shutdown() {
    if (this.app.getEnvironment() !== 'web') return
    const { stopWorkers } = await import('#queue/workers')
    await stopWorkers()
  }
}
