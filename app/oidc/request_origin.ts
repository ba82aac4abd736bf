import type { IncomingMessage } from 'node:http'
import type { Origin } from '#auth/sessions/device'

/*
 | The library sees the request of node, which the HTTP side has read before: whose address it
 | comes from is decided there (`config/app.ts`), by the proxies that are trusted.
 */

const origins = new WeakMap<IncomingMessage, Origin>()

export function rememberOrigin(request: IncomingMessage, origin: Origin) {
  origins.set(request, origin)
}

export function originOfRequest(request: IncomingMessage): Origin {
  return origins.get(request) ?? { ip: 'unknown', userAgent: null }
}
