import { Histogram } from './histogram.ts'
import type { Family } from './family.ts'

/** Other methods are counted together: an attacker could fill the memory with invented ones. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER']

/** Series beyond this number count as `other`, so a process has at most 2,000 series. */
const MAX_SERIES = 1_180

const OTHER = 'other'

const durations = new Histogram({
  name: 'gatehouse_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last of its answer.',
  bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  label: { name: 'method', values: METHODS },
})

const totals = new Map<string, number>()

interface AnsweredRequest {
  method: string
  status: number
  /** Null for a path without a route. */
  route: string | null
  ms: number
}

export function countRequest({ method, status, route, ms }: AnsweredRequest) {
  const known = METHODS.includes(method) ? method : 'OTHER'
  durations.observe(ms, known)
  const answered = `${known} ${Math.floor(status / 100)}xx`
  const key = `${answered} ${route ?? OTHER}`
  const isCounted = totals.has(key) || totals.size < MAX_SERIES
  add(isCounted ? key : `${answered} ${OTHER}`)
}

function add(key: string) {
  totals.set(key, (totals.get(key) ?? 0) + 1)
}

export function requestFamilies(): Family[] {
  const samples = [...totals].map(([key, value]) => {
    const [method, status, route] = key.split(' ')
    return { labels: { method, class: status, route }, value }
  })
  const help = 'Answered requests by method, route pattern and class of the status.'
  return [
    { name: 'gatehouse_http_requests_total', help, type: 'counter', samples },
    durations.family(),
  ]
}
