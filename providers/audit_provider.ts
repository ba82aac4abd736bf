import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Seals the audit trail while the server listens, and what a server or a command has
 * recorded before it ends. It stands right after the database in the list of providers,
 * which end in reverse order: whatever may record an event has ended by then.
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
