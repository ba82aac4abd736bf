import type { IncomingMessage, ServerResponse } from 'node:http'
import server from '@adonisjs/core/services/server'
import limits from '#config/limits'
import type { RequestSource } from '#auth/sessions/device'

/*
 | The HTTP side knows the trusted proxies (`config/app.ts`); the provider sees the bare request of
 | node.
 */

const sources = new WeakMap<IncomingMessage, RequestSource>()

export function readSource(request: IncomingMessage, response: ServerResponse): RequestSource {
  const ip = server.createRequest(withoutQuery(request), response).ip()
  const userAgent = request.headers['user-agent']?.slice(0, limits.userAgent) ?? null
  return { ip, userAgent }
}

/** The framework would parse the query, which is long in an authorization request. */
function withoutQuery(request: IncomingMessage): IncomingMessage {
  return Object.create(request, { url: { value: '/' } })
}

export function rememberSource(request: IncomingMessage, source: RequestSource) {
  sources.set(request, source)
}

export function sourceOfRequest(request: IncomingMessage): RequestSource {
  return sources.get(request) ?? { ip: 'unknown', userAgent: null }
}
