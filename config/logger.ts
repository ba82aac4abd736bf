import env from '#start/env'
import { defineConfig, stdTimeFunctions } from '@adonisjs/core/logger'
import app from '@adonisjs/core/services/app'
import { LogOutput } from '#http/log/output'
import { prettyLine } from '#http/log/pretty'
import { isTracing, traceId } from '#telemetry/spans'

const isQuiet =
  app.getEnvironment() === 'console' && !['debug', 'trace'].includes(env.get('LOG_LEVEL'))

const output = new LogOutput(env.get('LOG_FORMAT') === 'pretty' ? prettyLine : undefined)

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'gatehouse',
      level: isQuiet ? 'silent' : env.get('LOG_LEVEL'),
      /** A second protection: no code logs these members, but a library might. */
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization'],
        censor: '[redacted]',
      },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      ...(isTracing() && { mixin: () => ({ trace_id: traceId() }) }),
      destination: output,
    },
  },
})
