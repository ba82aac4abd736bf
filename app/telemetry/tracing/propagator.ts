import { isSpanContextValid, trace, type TextMapPropagator } from '@opentelemetry/api'

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Version `ff` is invalid, and later ones may have more fields (W3C Trace Context, 3.2 and 4). */
function parse(header: string) {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest)) return null
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? parent : null
}

/** Reads `traceparent` (W3C Trace Context) and sends none: receivers outside learn nothing. */
export const propagator: TextMapPropagator = {
  inject() {},
  extract(context, carrier, getter) {
    const parent = parse(String(getter.get(carrier, 'traceparent')))
    return parent ? trace.setSpanContext(context, parent) : context
  },
  fields: () => ['traceparent'],
}
