import { counterFamilies } from '#telemetry/counters'
import { hashWait, storeDurations } from '#telemetry/durations'
import { toText, type Family, type Sample } from '#telemetry/family'
import { requestFamilies } from '#telemetry/requests'
import { backupGauges } from './backup_gauges.ts'
import { jobGauges } from './job_gauges.ts'
import { keyGauges } from './key_gauges.ts'
import { liveProcessGauges } from './live_process_gauges.ts'
import { mailGauges } from './mail_gauges.ts'
import { processGauges } from './process_gauges.ts'
import { trailGauges } from './trail_gauges.ts'
import { webhookGauges } from './webhook_gauges.ts'
import type { GaugeGroup } from './gauge_group.ts'

const GROUPS = [
  processGauges,
  liveProcessGauges,
  trailGauges,
  jobGauges,
  mailGauges,
  webhookGauges,
  keyGauges,
  backupGauges,
]

/** While the database is down, its gauges have no samples. All other metrics stay readable. */
export async function readFamilies(): Promise<Family[]> {
  const gauges = await Promise.all(GROUPS.map(readGroup))
  const histograms = [hashWait.family(), storeDurations.family()]
  return [...gauges.flat(), ...counterFamilies(), ...requestFamilies(), ...histograms]
}

/** Returns the names of our own families, as documents use them. */
export function metricNames() {
  const others = [...counterFamilies(), ...requestFamilies(), hashWait.family()]
  const gauges = GROUPS.flatMap((group) => Object.keys(group.gauges))
  return [...gauges, ...others.map(({ name }) => name), storeDurations.family().name]
}

async function readGroup({ gauges, read }: GaugeGroup): Promise<Family[]> {
  const samples: Record<string, Sample[]> = await read().catch(() => ({}))
  return Object.entries(gauges).map(([name, help]) => {
    return { name, help, type: 'gauge', samples: samples[name] ?? [] }
  })
}

/** Returns the text for a scraper. */
export async function readMetrics() {
  const families = await readFamilies()
  const own = families.map(toText).join('\n')
  const { contentType, text } = await readRuntime()
  return { contentType, text: `${own}\n${text}` }
}

/** Gauges of `prom-client` whose names end as counters do, which Prometheus advises against. */
const MISNAMED = ['handles', 'requests', 'resources'].map((name) => `nodejs_active_${name}_total`)

let runtime: Promise<import('prom-client').Registry> | undefined

/** Metrics of the process, which are collected from the first scrape on. */
async function readRuntime() {
  runtime ??= collectRuntime()
  const registry = await runtime
  return { contentType: registry.contentType, text: await registry.metrics() }
}

async function collectRuntime() {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}
