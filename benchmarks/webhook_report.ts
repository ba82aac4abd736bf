import { median, percentile, percentileBetween, ratioOf, type Waits } from './statistics.ts'
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

/** How much longer a percentile of waits may be, in milliseconds or as a part: no user notices. */
const BOUNDS = [
  { percent: 50, ms: 1, part: 0.1 },
  { percent: 95, ms: 5, part: 0.2 },
]

const show = (values: Pair<number[]>, digits: number) =>
  [values.without, values.with].map((each) => round(median(each), digits)).join(' → ')

function valuesOf({ rounds }: Series<Waits>, name: keyof Waits): Pair<number[]> {
  const of = (each: Waits[]) => each.map((waits) => waits[name])
  return { without: of(rounds.without), with: of(rounds.with) }
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
    const judged = BOUNDS.map((bound) => judge(each, bound))
    const waits = judged.flatMap(({ percent, longer }) => [showAll(each, percent), range(longer)])
    const cells = [round(each.rounds.with[0].rate), `${answered} of ${offered}`, ...waits]
    const verdict = answered < offered ? 'no' : verdictOf(judged)
    return [each.on, each.what, ...cells, showAll(each, 99), round(each.delivered), verdict]
  })
  return table(head, rows)
}

/** Shows a percentile of all rounds together. */
function showAll({ rounds }: Series<Offered>, percent: number) {
  const of = (each: Offered[]) =>
    percentile(
      each.flatMap(({ waits }) => waits),
      percent
    )
  return [rounds.without, rounds.with].map((each) => round(of(each), 1)).join(' → ')
}

function sumOf(rounds: Offered[]) {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const offered = sum(rounds.map((each) => each.offered))
  return { offered, answered: sum(rounds.map((each) => each.answered)) }
}

function judge({ rounds }: Series<Offered>, { percent, ms, part }: (typeof BOUNDS)[number]) {
  const of = (each: Offered[]) => each.map(({ waits }) => waits)
  const baseline = of(rounds.without)
  const bound = Math.max(ms, part * percentile(baseline.flat(), percent))
  const longer = percentileBetween({ values: of(rounds.with), baseline }, percent)
  return { percent, bound, longer }
}

/** “Not shown” means that a bound is within the differences between rounds. */
function verdictOf(judged: ReturnType<typeof judge>[]) {
  if (judged.some(({ bound, longer }) => longer.lowest > bound)) return 'no'
  return judged.every(({ bound, longer }) => longer.highest <= bound) ? 'yes' : 'not shown'
}
