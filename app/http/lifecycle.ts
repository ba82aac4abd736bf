import type { Server } from 'node:http'
import { stopTracing } from '#telemetry/spans'
import type { ApplicationService } from '@adonisjs/core/types'

/** `/health` answers 503 for this time before the listener closes, for load balancers to notice. */
const NOTICE_MS = 400

/** Requests in flight are cut off after this time: an orchestrator kills after ten seconds. */
const DEADLINE_MS = 8_000

let draining = false

export function isDraining() {
  return draining
}

export function drainOnSignal(app: ApplicationService, server: () => Server | undefined) {
  const onSignal = () => {
    if (draining) return
    draining = true
    drain(app, server()).catch(() => process.exit(1))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const former = process.listeners(signal) as (() => void)[]
    process.on(signal, onSignal)
    for (const listener of former) process.off(signal, listener)
  }
}

/** Without a listener there are no requests to answer. */
async function drain(app: ApplicationService, server: Server | undefined) {
  if (!server?.listening) process.exit(0)
  setTimeout(() => process.exit(0), DEADLINE_MS + 1_000).unref()
  await new Promise((resolve) => setTimeout(resolve, NOTICE_MS))
  setTimeout(() => server.closeAllConnections(), DEADLINE_MS - NOTICE_MS).unref()
  setInterval(() => server.closeIdleConnections(), 50).unref()
  await app.terminate()
  await stopTracing()
  process.exit(0)
}
