import type { IncomingMessage } from 'node:http'
import type { RequestSource } from '#auth/sessions/device'

/*
 | The HTTP side knows the trusted proxies (`config/app.ts`); the provider sees the bare request of
 | node.
 */

const sources = new WeakMap<IncomingMessage, RequestSource>()

export function rememberSource(request: IncomingMessage, source: RequestSource) {
  sources.set(request, source)
}

export function sourceOfRequest(request: IncomingMessage): RequestSource {
  return sources.get(request) ?? { ip: 'unknown', userAgent: null }
}
