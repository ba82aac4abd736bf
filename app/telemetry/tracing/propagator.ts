import { isSpanContextValid, trace, type TextMapPropagator } from '@opentelemetry/api'

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** Reads `traceparent` (W3C Trace Context) and sends none: receivers outside learn nothing. */
export const propagator: TextMapPropagator = {
  inject() {},
  extract(context, carrier, getter) {
    const [, traceId, spanId, flags] =
      TRACEPARENT.exec(String(getter.get(carrier, 'traceparent'))) ?? []
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
    return isSpanContextValid(parent) ? trace.setSpanContext(context, parent) : context
  },
  fields: () => ['traceparent'],
}
