import logger from '@adonisjs/core/services/logger'

/** knex logs a stack for each failed connection, although the request already logs one line. */
export const connectionLog = {
  warn(message: string) {
    if (!message.startsWith('Acquire connection error')) logger.warn(message)
  },
  error: (message: string) => logger.error(message),
  deprecate: (message: string) => logger.info(message),
  debug: (message: string) => logger.debug(message),
}
