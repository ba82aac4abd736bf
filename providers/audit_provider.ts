import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Providers shut down in reverse order. This provider is registered soon after the database, so
 * that all events are recorded before it seals them.
 */
export default class AuditProvider {
  constructor(protected app: ApplicationService) {}

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { startSealing } = await import('#audit/chain/sealer')
    const { startWatching } = await import('#audit/chain/seal_watch')
    startSealing()
    startWatching()
  }

  async shutdown() {
    if (!this.app.isReady) return
    const { stopSealing } = await import('#audit/chain/sealer')
    await stopSealing()
  }
}
