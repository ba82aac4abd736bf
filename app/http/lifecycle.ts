import type { Server } from 'node:http'
import type { ApplicationService } from '@adonisjs/core/types'

/*
 | How the process ends. A load balancer learns from `/health` that no more requests are
 | wanted, the listener closes, what was accepted is answered, and the process exits.
 */

/** For how long `/health` tells that the process is leaving before it stops listening. */
const NOTICE_MS = 400

/** When requests still in flight are cut off; an orchestrator kills after ten seconds. */
const DEADLINE_MS = 8_000

let draining = false

/** Whether the process is about to end and wants no new requests. */
export function isDraining() {
  return draining
}

/** Ends the process in order at the first signal; further ones change nothing. */
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

/** A process that does not listen yet owes nobody an answer. */
async function drain(app: ApplicationService, server: Server | undefined) {
  if (!server?.listening) process.exit(0)
  setTimeout(() => process.exit(0), DEADLINE_MS + 1_000).unref()
  await new Promise((resolve) => setTimeout(resolve, NOTICE_MS))
  setTimeout(() => server.closeAllConnections(), DEADLINE_MS - NOTICE_MS).unref()
  setInterval(() => server.closeIdleConnections(), 50).unref()
  await app.terminate()
  process.exit(0)
}
