import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import { E_UNAUTHORIZED } from '#auth/errors'
import { metricsToken, readMetrics } from '#health/metrics'

/** Metrics for a scraper that knows `METRICS_TOKEN`; if none is set, for clients on this machine. */
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

/** Behind a proxy on this machine every client has a local address: forwarded requests do not count. */
function isLocal(request: HttpRequest) {
  const isForwarded = request.header('x-forwarded-for') ?? request.header('forwarded')
  const address = request.request.socket.remoteAddress ?? ''
  return !isForwarded && /^(::1|(::ffff:)?127\.)/.test(address)
}

/** Compares hashes of one length in constant time: a timing attack learns nothing of the token. */
function isSame(given: string, expected: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
