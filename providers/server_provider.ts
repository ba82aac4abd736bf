import type { ApplicationService } from '@adonisjs/core/types'

/** Readies the database before the server listens. */
export default class ServerProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const { default: env } = await import('#start/env')
    if (!env.get('AUTO_MIGRATE')) return
    const { migrate } = await import('#database/migrate')
    await migrate(this.app)
  }
}
