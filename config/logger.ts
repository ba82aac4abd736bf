import env from '#start/env'
import { defineConfig, targets } from '@adonisjs/core/logger'
import app from '@adonisjs/core/services/app'

/** Commands print their errors themselves, and their standard output is for results. */
const isQuiet =
  app.getEnvironment() === 'console' && !['debug', 'trace'].includes(env.get('LOG_LEVEL'))

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'gatehouse',
      level: isQuiet ? 'silent' : env.get('LOG_LEVEL'),
      /** A second protection: no code logs these members, and a library that did would show no value. */
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization'],
        censor: '[redacted]',
      },
      /** Straight to standard output: a worker of its own would cost memory and the last lines. */
      ...(app.inDev && { transport: { targets: [targets.pretty()] } }),
    },
  },
})
