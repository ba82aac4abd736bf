import { EnvProcessor } from '@adonisjs/core/env'

/** The libraries to trace are changed before anything loads them. Without an endpoint nothing happens. */
export async function startTracingIfAsked() {
  const dotEnv = await new EnvProcessor(new URL('../', import.meta.url)).process()
  const values: Record<string, string | undefined> = { ...dotEnv, ...process.env }
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  // `start/env.ts` reports what is wrong with any other value.
  if (!endpoint || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return
  const { startTracing } = await import('../app/telemetry/tracing/start_tracing.js')
  const libraries = [
    ...(values.DB_CONNECTION === 'pg' ? ['pg'] : []),
    ...(values.STORE === 'redis' ? ['ioredis'] : []),
  ]
  startTracing({ endpoint, serviceName: values.OTEL_SERVICE_NAME || 'gatehouse', libraries })
}
