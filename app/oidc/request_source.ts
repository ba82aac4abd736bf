import type { IncomingMessage } from 'node:http'
import type { RequestSource } from '#auth/sessions/device'

/*
 | The library sees the request of node, which the HTTP side has read before: whose address it
 | comes from is decided there (`config/app.ts`), by the proxies that are trusted.
 */

const sources = new WeakMap<IncomingMessage, RequestSource>()

export function rememberSource(request: IncomingMessage, source: RequestSource) {
  sources.set(request, source)
}

export function sourceOfRequest(request: IncomingMessage): RequestSource {
  return sources.get(request) ?? { ip: 'unknown', userAgent: null }
}
