import type { ApplicationService } from '@adonisjs/core/types'
import type {} from '@adonisjs/redis/redis_provider'

/** Closes the sockets: the framework's provider sends `QUIT`, which fails while Redis is gone. */
export default class RedisProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('redis', async () => {
      const { RedisManager } = await import('@adonisjs/redis')
      const logger = await this.app.container.make('logger')
      const manager = new RedisManager(this.app.config.get<any>('redis'), logger)
      this.#logOutages(manager, logger)
      this.app.terminating(() => manager.disconnectAll())
      return manager as any
    })
  }

  /** Logs one line when Redis is lost and one when it is back, instead of one for each attempt. */
  #logOutages(manager: import('@adonisjs/redis').RedisManager<any>, logger: any) {
    manager.doNotLogErrors()
    const down = new Set<string>()
    manager.on('connection', (connection) => {
      connection.on('error', ({ error }) => {
        if (down.has(connection.connectionName)) return
        down.add(connection.connectionName)
        void this.#logOutage(error, logger)
      })
      connection.on('ready', () => {
        if (down.delete(connection.connectionName)) logger.info('Redis answers again')
      })
    })
  }

  async #logOutage(error: Error, logger: any) {
    const { explainFailure, inOneLine } = await import('#health/check_failures')
    logger.error({ err: error }, inOneLine(explainFailure('store', error)))
  }
}
