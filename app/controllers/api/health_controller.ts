import type { HttpContext } from '@adonisjs/core/http'
import { checkDatabase, checkStore, storeWarnings } from '#health/probes'
import { isDraining } from '#http/lifecycle'

/** Health for load balancers and operators. It is public, so it tells no version and no detail. */
export default class HealthController {
  /** The process serves; `degraded` while something that it depends on does not. */
  async show({ response }: HttpContext) {
    if (isDraining()) return response.status(503).json({ status: 'draining' })
    const probes = [checkDatabase(), checkStore()] as const
    const [database, store, warnings] = await Promise.all([...probes, storeWarnings()])
    const isDown = database.status !== 'ok' || store.status !== 'ok'
    const isDegraded = isDown || warnings.length > 0
    return { status: isDegraded ? 'degraded' : 'ok', database, store }
  }

  async database({ response }: HttpContext) {
    const probe = await checkDatabase()
    return response.status(probe.status === 'ok' ? 200 : 503).json(probe)
  }

  async store({ response }: HttpContext) {
    const probe = await checkStore()
    return response.status(probe.status === 'ok' ? 200 : 503).json(probe)
  }

  /** Liveness: a supervisor restarts the process when this does not answer. */
  live() {
    return { status: 'ok' }
  }

  /** Readiness: a load balancer sends requests only while this answers 200. */
  async ready({ response }: HttpContext) {
    if (isDraining()) return response.status(503).json({ status: 'draining' })
    const [database, store] = await Promise.all([checkDatabase(), checkStore()])
    const isReady = database.status === 'ok' && store.status === 'ok'
    return response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable' })
  }
}
