import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import db from '@adonisjs/lucid/services/db'
import { version } from '#config/app'
import env from '#start/env'
import { findSealLag } from '#audit/chain/unsealed'
import { hashQueueDepth } from '#auth/passwords/hash_queue'
import { findDeliveryProblem, mailOutcomes } from '#mails/queue/delivery_problem'

// Requests are counted only while `METRICS_TOKEN` is set: other deployments do not pay for metrics.

export const metricsToken = env.get('METRICS_TOKEN')

const registry = new Registry()

new Gauge({
  name: 'gatehouse_build_info',
  help: 'Always 1; its label is the version of this process.',
  labelNames: ['version'],
  registers: [registry],
}).set({ version }, 1)

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

new Gauge({
  name: 'gatehouse_audit_unsealed_seconds',
  help: 'Age of the oldest audit event that is not sealed; above 10 it is late, or was forged.',
  registers: [registry],
  async collect() {
    const lag = await findSealLag(db.connection()).catch(() => Number.NaN)
    this.set(lag / 1_000)
  },
})

new Counter({
  name: 'gatehouse_mails_total',
  help: 'Tries to deliver a mail: sent, deferred to another try, or failed for good.',
  labelNames: ['outcome'],
  registers: [registry],
  collect() {
    this.reset()
    for (const [outcome, count] of Object.entries(mailOutcomes)) this.inc({ outcome }, count)
  },
})

new Gauge({
  name: 'gatehouse_mail_refused',
  help: '1 while the mail server refuses a mail that waits for another try, or does not answer.',
  registers: [registry],
  async collect() {
    const problem = await findDeliveryProblem().catch(() => null)
    this.set(problem === null ? 0 : 1)
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

export function observe(request: IncomingMessage, response: ServerResponse) {
  const method = METHODS.has(request.method!) ? request.method! : 'OTHER'
  const stop = durations.startTimer({ method })
  response.once('close', () => {
    stop()
    requests.inc({ method, status: String(response.statusCode) })
  })
}
