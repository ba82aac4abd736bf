import type { IncomingMessage, ServerResponse } from 'node:http'

// OpenTelemetry is not loaded here. If tracing is on, `tracing/start_tracing.ts` sets the tracer.

export type SpanName = 'hash wait' | 'hash' | 'seal' | 'mail' | 'webhook' | `openid ${string}`

/** No e-mail, token, address or other request value. `tracing/safe_span.ts` keeps only these. */
export type SpanAttributes = Partial<Record<'gatehouse.kind' | 'gatehouse.outcome', string>>

export interface Tracing {
  inSpan<T>(name: SpanName, work: () => T, attributes: SpanAttributes): T
  traceId(): string | undefined
  nameRequest(response: ServerResponse, route: string | null): void
  stop(): Promise<void>
}

let tracing: Tracing | undefined

export function traceBy(given: Tracing) {
  tracing = given
}

export function isTracing() {
  return tracing !== undefined
}

/** Runs work that a trace shows as a step of its own. */
export function inSpan<T>(name: SpanName, work: () => T, attributes: SpanAttributes = {}): T {
  return tracing ? tracing.inSpan(name, work, attributes) : work()
}

export function traceId() {
  return tracing?.traceId()
}

export function nameRequest(response: ServerResponse, route: string | null) {
  tracing?.nameRequest(response, route)
}

export async function stopTracing() {
  await tracing?.stop()
}

const HEADERS = ['traceparent', 'tracestate', 'baggage']

/** Otherwise anyone could add requests to a trace of ours, or keep them out. */
export function dropTraceContext({ headers }: IncomingMessage) {
  for (const name of HEADERS) delete headers[name]
}
