import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Providers shut down in reverse order. This provider is registered right after the database, so
 * that the row of a process outlives all its writes. `ServerProvider` registers the process.
 */
export default class ProcessesProvider {
  constructor(protected app: ApplicationService) {}

  async shutdown() {
    if (this.app.getEnvironment() !== 'web') return
    const { unregisterProcess } = await import('#processes/live_processes')
    await unregisterProcess()
  }
}
