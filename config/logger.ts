import env from '#start/env'
import { defineConfig, targets } from '@adonisjs/core/logger'
import app from '@adonisjs/core/services/app'

/** A command tells what went wrong by itself, and its standard output belongs to its results. */
const isQuiet =
  app.getEnvironment() === 'console' && !['debug', 'trace'].includes(env.get('LOG_LEVEL'))

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'gatehouse',
      level: isQuiet ? 'silent' : env.get('LOG_LEVEL'),
      /** A belt for the braces: nothing logs these, and if something ever does, it shows no value. */
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization'],
        censor: '[redacted]',
      },
      /** Straight to standard output: a worker of its own would cost memory and the last lines. */
      ...(app.inDev && { transport: { targets: [targets.pretty()] } }),
    },
  },
})
