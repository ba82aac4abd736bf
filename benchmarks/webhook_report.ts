import { median, medianWithin, ratioOf, type Waits } from './statistics.ts'
import { range, round, table } from './table.ts'
import type { Offered } from './open_loop.ts'

/* Rounds with deliveries beside those without, for `npm run bench:webhooks`. */

export interface Pair<Value> {
  without: Value
  with: Value
}

export interface Rated extends Waits {
  /** Answers in a second. */
  rate: number
}

/** One kind of request on one backend. */
export interface Series<Value> {
  on: string
  what: 'login' | 'profile'
  rounds: Pair<Value[]>
  /** Events that came to the endpoint in a second. */
  delivered: number
}

/**
 * Milliseconds by which a wait may be longer, or a part of it: what a user does not notice. Of a
 * round with 150 logins, the 99th percentile is one of the two longest, which tells too little.
 */
const BOUNDS = { p50: { ms: 1, part: 0.1 }, p95: { ms: 5, part: 0.2 } }

const JUDGED = ['p50', 'p95'] as const

const show = (values: Pair<number[]>, digits: number) =>
  [values.without, values.with].map((each) => round(median(each), digits)).join(' → ')

function valuesOf({ rounds }: Series<Waits>, name: keyof Waits): Pair<number[]> {
  const of = (each: Waits[]) => each.map((waits) => waits[name])
  return { without: of(rounds.without), with: of(rounds.with) }
}

/** Round by round, so that what slows both down cancels out. */
function differenceOf(values: Pair<number[]>) {
  return medianWithin(values.with.map((value, at) => value - values.without[at]))
}

export function ratedTable(series: Series<Rated>[]) {
  const head = ['on', 'what', 'a second', 'ratio', 'p50 ms', 'p99 ms', 'events a second']
  const rows = series.map((each) => {
    const of = (rounds: Rated[]) => rounds.map(({ rate }) => rate)
    const rates = { without: of(each.rounds.without), with: of(each.rounds.with) }
    const ratio = range(ratioOf(rates.with, rates.without))
    const waits = (['p50', 'p99'] as const).map((name) => show(valuesOf(each, name), 1))
    return [each.on, each.what, show(rates, 0), ratio, ...waits, round(each.delivered)]
  })
  return table(head, rows)
}

const OFFERED = ['on', 'what', 'offered a second', 'answered', 'p50 ms', 'longer by']

export function offeredTable(series: Series<Offered>[]) {
  const head = [...OFFERED, 'p95 ms', 'longer by', 'p99 ms', 'events a second', 'as they are']
  const rows = series.map((each) => {
    const { offered, answered } = sumOf(each.rounds.with)
    const waits = JUDGED.flatMap((name) => {
      const values = valuesOf(each, name)
      return [show(values, 1), range(differenceOf(values))]
    })
    const cells = [round(each.rounds.with[0].rate), `${answered} of ${offered}`, ...waits]
    const p99 = show(valuesOf(each, 'p99'), 1)
    return [each.on, each.what, ...cells, p99, round(each.delivered), verdictOf(each)]
  })
  return table(head, rows)
}

function sumOf(rounds: Offered[]) {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const offered = sum(rounds.map((each) => each.offered))
  return { offered, answered: sum(rounds.map((each) => each.answered)) }
}

/**
 * Yes if all requests are answered and the whole range of both differences is within its bound.
 * “Not shown” where rounds differ too much to tell.
 */
function verdictOf(series: Series<Offered>) {
  const { offered, answered } = sumOf(series.rounds.with)
  const waits = JUDGED.map((name) => {
    const values = valuesOf(series, name)
    const { ms, part } = BOUNDS[name]
    const bound = Math.max(ms, part * median(values.without))
    return { bound, ...differenceOf(values) }
  })
  if (answered < offered || waits.some(({ lowest, bound }) => lowest > bound)) return 'no'
  return waits.every(({ highest, bound }) => highest <= bound) ? 'yes' : 'not shown'
}
