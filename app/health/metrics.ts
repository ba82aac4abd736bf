import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import env from '#start/env'
import { hashQueueDepth } from '#auth/passwords/hash_queue'

/*
 | Metrics in the Prometheus text format. Requests are counted only while `METRICS_TOKEN`
 | is set: a deployment that does not scrape them does not pay for them.
 */

export const metricsToken = env.get('METRICS_TOKEN')

const registry = new Registry()

const requests = new Counter({
  name: 'gatehouse_http_requests_total',
  help: 'Answered requests by method and status.',
  labelNames: ['method', 'status'],
  registers: [registry],
})

const durations = new Histogram({
  name: 'gatehouse_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last of its answer.',
  labelNames: ['method'],
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  registers: [registry],
})

new Gauge({
  name: 'gatehouse_password_hashes',
  help: 'Password hashes being computed and waiting.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    const { active, waiting } = hashQueueDepth()
    this.set({ state: 'active' }, active)
    this.set({ state: 'waiting' }, waiting)
  },
})

let isCollecting = false

/** The text for a scraper. Metrics of the process are collected from its first request on. */
export async function readMetrics() {
  if (!isCollecting) collectDefaultMetrics({ register: registry })
  isCollecting = true
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** Other methods are counted together: an attacker could fill the memory with invented ones. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts a request when its response is complete. */
export function observe(request: IncomingMessage, response: ServerResponse) {
  const method = METHODS.has(request.method!) ? request.method! : 'OTHER'
  const stop = durations.startTimer({ method })
  response.once('close', () => {
    stop()
    requests.inc({ method, status: String(response.statusCode) })
  })
}
