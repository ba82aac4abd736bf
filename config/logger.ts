import env from '#start/env'
import { defineConfig, destination, targets } from '@adonisjs/core/logger'
import app from '@adonisjs/core/services/app'

/** Commands print their errors themselves, and their standard output is for results. */
const isQuiet =
  app.getEnvironment() === 'console' && !['debug', 'trace'].includes(env.get('LOG_LEVEL'))

/** How much of the log waits for a disk that is full, in bytes; later lines are dropped. */
const WAITING_LOG = 1_048_576

/**
 * Straight to standard output: a worker of its own would cost memory and the last lines. A
 * reader that is gone, or a full disk behind it, must not end the process.
 */
function standardOutput() {
  const output = destination({ fd: 1, sync: true, maxLength: WAITING_LOG })
  output.on('error', () => {})
  return output
}

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
      ...(app.inDev
        ? { transport: { targets: [targets.pretty()] } }
        : { destination: standardOutput() }),
    },
  },
})
