import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND, E_UNAUTHORIZED } from '#auth/errors'
import { metricsToken, registry } from '#start/metrics'

/** Metrics for a scraper that knows `METRICS_TOKEN`; without one configured there are none. */
export default class MetricsController {
  async show({ request, response }: HttpContext) {
    if (!metricsToken) throw new E_NOT_FOUND()
    if (!isSame(request.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new E_UNAUTHORIZED()
    }
    response.header('content-type', registry.contentType)
    return response.send(await registry.metrics())
  }
}

/** Compares hashes of one length: neither the time taken nor the length tells of the token. */
function isSame(given: string, expected: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
