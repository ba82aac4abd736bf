import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import env from '#start/env'
import { appUrl } from '#config/app'
import { E_UNAUTHORIZED, invalidToken } from '#auth/errors'
import { bearerToken } from '#auth/guards/api/bearer'
import { countFromNow } from '#http/count_requests'
import { readMetrics } from '#health/metrics/registry'

const metricsToken = env.get('METRICS_TOKEN')

/** Without `METRICS_TOKEN` only clients on this machine get metrics, and only without a proxy. */
export default class MetricsController {
  async show({ request, response }: HttpContext) {
    if (metricsToken) assertToken(request, metricsToken)
    else if (!isLocal(request)) throw new E_UNAUTHORIZED()
    countFromNow()
    const { contentType, text } = await readMetrics()
    return response.header('content-type', contentType).send(text)
  }
}

function assertToken(request: HttpRequest, expected: string) {
  const given = bearerToken(request)
  if (given === undefined) throw new E_UNAUTHORIZED()
  if (!isSame(given, expected)) throw invalidToken(new E_UNAUTHORIZED())
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** Only the configuration reveals a proxy that adds no header and sends our host. */
const isBehindProxy =
  env.get('TRUSTED_PROXIES').length > 0 || !LOOPBACK_HOST.test(new URL(appUrl).host)

/**
 * Behind a local proxy every client has a local address, so any sign of a proxy refuses them. The
 * Host header reveals DNS rebinding.
 */
function isLocal({ request: { headers, socket } }: HttpRequest) {
  const isForwarded = PROXY_HEADERS.some((name) => headers[name] !== undefined)
  if (isBehindProxy || isForwarded || !LOOPBACK_HOST.test(headers.host ?? '')) return false
  return /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '')
}

/** Compares hashes of one length in constant time, against timing attacks. */
function isSame(given: string, expected: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
