import type { HealthCheckResult } from '@adonisjs/core/types/health'
import { healthChecks } from '#start/health'

export interface ConnectionStatus {
  status: 'ok' | 'unavailable'
  /** Such as `sqlite`, `pg`, `database` or `redis`. */
  driver: string
  latencyMs: number
}

export function toConnectionStatus({ status, meta }: HealthCheckResult): ConnectionStatus {
  const { driver, latencyMs } = meta!
  return { status: status === 'ok' ? 'ok' : 'unavailable', driver, latencyMs }
}

export async function checkConnections() {
  const { isHealthy, checks } = await healthChecks.run()
  const [database, store] = checks.map(toConnectionStatus)
  return { isHealthy, database, store }
}
