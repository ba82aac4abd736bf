import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import store from '#auth/store/service'

export interface Probe {
  status: 'ok' | 'unavailable'
  /** What is connected to, such as `sqlite`, `pg`, `database` or `redis`. */
  driver: string
  /** How long the answer took. */
  latencyMs: number
}

/** A dependency that has not answered by then is down as far as a load balancer is concerned. */
const TIMEOUT_MS = 900

/** Probes in flight are shared: health checks must not pile up on a database that hangs. */
const inFlight = new Map<string, Promise<Probe>>()

function share(name: string, check: () => Promise<Probe>) {
  const running = inFlight.get(name)
  if (running) return running
  const probe = check().finally(() => inFlight.delete(name))
  inFlight.set(name, probe)
  return probe
}

async function measure(driver: string, ask: () => Promise<unknown>): Promise<Probe> {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), TIMEOUT_MS)
  })
  const status = await Promise.race([ask(), timeout])
    .then(() => 'ok' as const)
    .catch(() => 'unavailable' as const)
    .finally(() => clearTimeout(timer))
  return { status, driver, latencyMs: Math.round((performance.now() - startedAt) * 10) / 10 }
}

export function checkDatabase() {
  return share('database', () => measure(env.get('DB_CONNECTION'), () => db.rawQuery('SELECT 1')))
}

/** The token and session store in use, whichever it is. */
export function checkStore() {
  return share('store', () => measure(store.driver, () => store.ping()))
}

const WARNINGS_KEPT_MS = 2_000

let known: { warnings: string[]; at: number } | undefined

/** What an operator should change although the store answers; looked up now and then only. */
export async function storeWarnings() {
  if (known && Date.now() - known.at < WARNINGS_KEPT_MS) return known.warnings
  const warnings = await store.warnings().catch(() => [])
  known = { warnings, at: Date.now() }
  return warnings
}
