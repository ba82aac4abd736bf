import type { HttpContext } from '@adonisjs/core/http'
import { databaseConnection, storeConnection } from '#start/health'
import { checkConnections, toConnectionStatus } from '#health/connection_status'
import { storeWarnings } from '#health/store_warnings'
import { isDraining } from '#http/lifecycle'
import { hasDeliveryProblem } from '#mails/queue/delivery_problem'

/** Public, so it reveals no version and no detail. */
export default class HealthController {
  /** Answers `degraded` while a dependency fails and the process still serves requests. */
  async show({ response }: HttpContext) {
    if (isDraining()) return response.status(503).json({ status: 'draining' })
    const [connections, warnings] = await Promise.all([checkConnections(), storeWarnings()])
    const { isHealthy, database, store } = connections
    const isDegraded = !isHealthy || warnings.length > 0 || (await hasDeliveryProblem())
    return { status: isDegraded ? 'degraded' : 'ok', database, store }
  }

  async database({ response }: HttpContext) {
    const connection = toConnectionStatus(await databaseConnection.run())
    return response.status(connection.status === 'ok' ? 200 : 503).json(connection)
  }

  async store({ response }: HttpContext) {
    const connection = toConnectionStatus(await storeConnection.run())
    return response.status(connection.status === 'ok' ? 200 : 503).json(connection)
  }

  /** Liveness: a supervisor restarts the process if this does not answer. */
  live() {
    return { status: 'ok' }
  }

  /** Readiness: a load balancer sends requests only while this answers 200. */
  async ready({ response }: HttpContext) {
    if (isDraining()) return response.status(503).json({ status: 'draining' })
    const { isHealthy } = await checkConnections()
    return response.status(isHealthy ? 200 : 503).json({ status: isHealthy ? 'ok' : 'unavailable' })
  }
}
