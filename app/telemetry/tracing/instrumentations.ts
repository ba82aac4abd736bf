import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { ServerResponse } from 'node:http'
import type { Span } from '@opentelemetry/api'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'

const require = createRequire(import.meta.url)

/** Load balancers, supervisors and scrapers request these paths about every second. */
const PROBES = /^(?:\/api(?:\/v1)?)?\/(?:health(?:[/?]|$)|metrics(?:\?|$))/

const routes = new WeakMap<ServerResponse, string>()

export function rememberRoute(response: ServerResponse, route: string) {
  routes.set(response, route)
}

function nameSpan(span: Span, request: { method?: string }, response: object) {
  const route = routes.get(response as ServerResponse)
  if (!route) return
  span.updateName(`${request.method} ${route}`)
  span.setAttribute('http.route', route)
}

/** Work outside a request or a span of ours, such as a poll, gets no span. */
export function instrument(libraries: string[]) {
  registerInstrumentations({
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url = '' }) => PROBES.test(url),
        applyCustomAttributesOnSpan: nameSpan,
        requireParentforOutgoingSpans: true,
      }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
    ],
  })
  // A library that is loaded here is patched in place, for modules of either kind.
  for (const name of ['http', 'https', ...libraries]) require(name)
  syncBuiltinESMExports()
}
