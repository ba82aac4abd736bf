import type { Server } from 'node:http'
import type { ApplicationService } from '@adonisjs/core/types'

/*
 | How the process ends. `/health` tells load balancers to send no more requests, the
 | listener closes, accepted requests are answered, and the process exits.
 */

/** How long `/health` answers 503 before the listener closes, so that load balancers notice. */
const NOTICE_MS = 400

/** When requests still in flight are cut off; an orchestrator kills after ten seconds. */
const DEADLINE_MS = 8_000

let draining = false

/** Whether the process is about to end and should get no new requests. */
export function isDraining() {
  return draining
}

/** Ends the process in order at the first signal; further signals are ignored. */
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

/** A process that does not listen yet has no requests to answer, and ends at once. */
async function drain(app: ApplicationService, server: Server | undefined) {
  if (!server?.listening) process.exit(0)
  setTimeout(() => process.exit(0), DEADLINE_MS + 1_000).unref()
  await new Promise((resolve) => setTimeout(resolve, NOTICE_MS))
  setTimeout(() => server.closeAllConnections(), DEADLINE_MS - NOTICE_MS).unref()
  setInterval(() => server.closeIdleConnections(), 50).unref()
  await app.terminate()
  process.exit(0)
}
