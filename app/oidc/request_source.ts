import type { IncomingMessage } from 'node:http'
import { clientAddress } from '#config/app'
import limits from '#config/limits'
import type { RequestSource } from '#auth/sessions/device'

/*
 | The HTTP side knows the trusted proxies (`config/app.ts`); the provider sees the bare request of
 | node.
 */

const sources = new WeakMap<IncomingMessage, RequestSource>()

export function readSource(request: IncomingMessage): RequestSource {
  const userAgent = request.headers['user-agent']?.slice(0, limits.userAgent) ?? null
  return { ip: clientAddress(request), userAgent }
}

export function rememberSource(request: IncomingMessage, source: RequestSource) {
  sources.set(request, source)
}

export function sourceOfRequest(request: IncomingMessage): RequestSource {
  return sources.get(request) ?? { ip: 'unknown', userAgent: null }
}
