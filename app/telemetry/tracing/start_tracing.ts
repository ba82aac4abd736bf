import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { traceBy, type SpanAttributes, type SpanName } from '#telemetry/spans'
import { SafeExporter } from './exporter.ts'
import { instrument, rememberRoute } from './instrumentations.ts'
import { propagator } from './propagator.ts'

/** Spans beyond the queue are dropped: a slow or lost collector costs this memory and no time. */
const QUEUE = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 1_000 }

const TIMEOUT_MS = 5_000

/** Time to send the last spans at the end of the process. */
const STOP_MS = 500

interface Settings {
  endpoint: string
  serviceName: string
  /** The libraries whose statements and commands are traced. */
  libraries: string[]
}

export function startTracing({ endpoint, serviceName, libraries }: Settings) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new SafeExporter({ url, timeoutMillis: TIMEOUT_MS })
  const processor = new BatchSpanProcessor(exporter, { ...QUEUE, exportTimeoutMillis: TIMEOUT_MS })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version(),
      'service.instance.id': randomUUID(),
    }),
    spanProcessors: [processor],
  })
  provider.register({ propagator })
  instrument(libraries)
  traceBy({
    inSpan,
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    nameRequest: (response, route) => route && rememberRoute(response, route),
    stop: async () => {
      await Promise.race([provider.shutdown(), wait(STOP_MS, undefined, { ref: false })])
    },
  })
}

function version() {
  const file = new URL('../../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version as string
}

function inSpan<T>(name: SpanName, work: () => T, attributes: SpanAttributes): T {
  return trace.getTracer('gatehouse').startActiveSpan(name, { attributes }, (span) => {
    try {
      const result = work()
      if (result instanceof Promise)
        result.then(
          () => span.end(),
          (error) => fail(span, error)
        )
      else span.end()
      return result
    } catch (error) {
      fail(span, error)
      throw error
    }
  })
}

/** Records no message, because it may quote an address or a statement. */
function fail(span: Span, error: any) {
  span.setAttribute('error.type', String(error?.code ?? error?.name ?? 'Error'))
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
