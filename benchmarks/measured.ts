import { median, ratioOf, type Ratio } from './statistics.ts'
import type { OperationName } from './targets.ts'
import type { Round } from './load.ts'
import type { describeMachine } from './machine.ts'
import type { Overload } from './overload.ts'

export interface MeasuredTarget {
  name: string
  title: string
  role: 'product' | 'baseline' | 'peer'
  startMs: number
  idleMb: number
}

export interface Measured {
  machine: ReturnType<typeof describeMachine>
  plan: { rounds: number; seconds: number }
  targets: MeasuredTarget[]
  rounds: Partial<Record<OperationName, Record<string, Round[]>>>
  hashRates: number[]
  overloads: Record<string, Overload>
}

/** One line of a table: a target at one operation. */
export interface Line {
  target: MeasuredTarget
  rate: number
  ratio: Ratio | null
  p50: number
  p99: number
  cpuUs: number
  failed: number
}

const BASELINE = 'empty'

const of = (rounds: Round[], key: keyof Round) => rounds.map((round) => round[key])

/** The measure of an operation: the raw hashing rate or the empty route, round by round. */
function measureOf(measured: Measured, operation: OperationName) {
  if (operation === 'login') return measured.hashRates
  const baseline = measured.rounds[operation]?.[BASELINE]
  return baseline && of(baseline, 'rate')
}

export function linesOf(measured: Measured, operation: OperationName): Line[] {
  const baseline = measureOf(measured, operation)
  return measured.targets.flatMap((target) => {
    const rounds = measured.rounds[operation]?.[target.name]
    if (!rounds) return []
    return {
      target,
      rate: median(of(rounds, 'rate')),
      ratio: baseline ? ratioOf(of(rounds, 'rate'), baseline) : null,
      p50: median(of(rounds, 'p50')),
      p99: median(of(rounds, 'p99')),
      cpuUs: median(of(rounds, 'cpuUs')),
      failed: of(rounds, 'failed').reduce((sum, count) => sum + count, 0),
    }
  })
}
