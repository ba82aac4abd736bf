import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { toSafeSpan } from './safe_span.ts'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'

type Done = Parameters<SpanExporter['export']>[1]

/** Sends spans without secret or personal data. Logs when the collector takes none. */
export class SafeExporter implements SpanExporter {
  readonly #exporter: OTLPTraceExporter
  #isFailing = false

  constructor(options: { url: string; timeoutMillis: number }) {
    this.#exporter = new OTLPTraceExporter(options)
  }

  export(spans: ReadableSpan[], done: Done) {
    this.#exporter.export(spans.map(toSafeSpan), (result) => {
      void this.#note(result.error)
      done(result)
    })
  }

  async #note(error: (Error & { code?: number | string }) | undefined) {
    if (Boolean(error) === this.#isFailing) return
    this.#isFailing = Boolean(error)
    const { default: logger } = await import('@adonisjs/core/services/logger')
    if (!error) return logger.info('the collector takes traces again')
    const reason = String(error.code ?? error.message)
    logger.warn({ reason }, 'the collector takes no traces: check OTEL_EXPORTER_OTLP_ENDPOINT')
  }

  shutdown() {
    return this.#exporter.shutdown()
  }

  forceFlush() {
    return this.#exporter.forceFlush()
  }
}
