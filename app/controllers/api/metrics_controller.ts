import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import env from '#start/env'
import { appUrl } from '#config/app'
import { E_UNAUTHORIZED } from '#auth/errors'
import { metricsToken, readMetrics } from '#health/metrics'

/** Metrics for a scraper that knows `METRICS_TOKEN`; if none is set, for clients on a machine without a proxy. */
export default class MetricsController {
  async show({ request, response }: HttpContext) {
    const isAllowed = metricsToken ? knowsToken(request, metricsToken) : isLocal(request)
    if (!isAllowed) throw new E_UNAUTHORIZED()
    const { contentType, text } = await readMetrics()
    return response.header('content-type', contentType).send(text)
  }
}

function knowsToken(request: HttpRequest, token: string) {
  return isSame(request.header('authorization') ?? '', `Bearer ${token}`)
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Headers that proxies add, each by another habit. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** A proxy that adds no header and names us as the host shows only in the configuration. */
const isBehindProxy =
  env.get('TRUSTED_PROXIES').length > 0 || !LOOPBACK_HOST.test(new URL(appUrl).host)

/**
 * Behind a proxy on this machine every client has a local address. Metrics must not leave
 * the machine that way, so any sign of a proxy refuses; a page of a foreign name that
 * resolves to this machine (DNS rebinding) has that name in the Host header.
 */
function isLocal({ request: { headers, socket } }: HttpRequest) {
  const isForwarded = PROXY_HEADERS.some((name) => headers[name] !== undefined)
  if (isBehindProxy || isForwarded || !LOOPBACK_HOST.test(headers.host ?? '')) return false
  return /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '')
}

/** Compares hashes of one length in constant time: a timing attack learns nothing of the token. */
function isSame(given: string, expected: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
