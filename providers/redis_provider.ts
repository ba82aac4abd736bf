import type { ApplicationService } from '@adonisjs/core/types'
import type {} from '@adonisjs/redis/redis_provider'

/**
 * Connections to Redis, opened by whoever needs one. The framework's own provider says
 * farewell to the server when the process ends, which fails the end where Redis is gone.
 */
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

  /** One line when Redis goes and one when it is back, instead of one for each failed attempt. */
  #logOutages(manager: import('@adonisjs/redis').RedisManager<any>, logger: any) {
    manager.doNotLogErrors()
    const down = new Set<string>()
    manager.on('connection', (connection) => {
      connection.on('error', ({ error }) => {
        if (down.has(connection.connectionName)) return
        down.add(connection.connectionName)
        logger.error({ err: error }, 'Redis does not answer')
      })
      connection.on('ready', () => {
        if (down.delete(connection.connectionName)) logger.info('Redis answers again')
      })
    })
  }
}
