import logger from '@adonisjs/core/services/logger'

/**
 * What knex writes to. Of each connection that fails it logs a stack: the request that needed it
 * has a line of its own, and a start ends with a sentence.
 */
export const connectionLog = {
  warn(message: string) {
    if (!message.startsWith('Acquire connection error')) logger.warn(message)
  },
  error: (message: string) => logger.error(message),
  deprecate: (message: string) => logger.info(message),
  debug: (message: string) => logger.debug(message),
}
