import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Providers end in reverse order: this one stands right after the database, so that the row of a
 * process outlives all that the process writes. `ServerProvider` registers it.
 */
export default class ProcessesProvider {
  constructor(protected app: ApplicationService) {}

  async shutdown() {
    if (this.app.getEnvironment() !== 'web') return
    const { unregisterProcess } = await import('#processes/live_processes')
    await unregisterProcess()
  }
}
