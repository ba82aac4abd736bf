import logger from '@adonisjs/core/services/logger'

/** knex logs a stack for each connection that fails; the request that needed it logs one line already. */
export const connectionLog = {
  warn(message: string) {
    if (!message.startsWith('Acquire connection error')) logger.warn(message)
  },
  error: (message: string) => logger.error(message),
  deprecate: (message: string) => logger.info(message),
  debug: (message: string) => logger.debug(message),
}
