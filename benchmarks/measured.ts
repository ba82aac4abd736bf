import { median, ratioOf, type Ratio } from './statistics.ts'
import type { OperationName, Target } from './targets.ts'
import type { Round } from './load.ts'
import type { AuditedChanges } from './changes.ts'
import type { RawHashing } from './hashing.ts'
import type { describeMachine } from './machine.ts'
import type { OpenIdFigures } from './openid.ts'
import type { Overload } from './overload.ts'
import type { StatementCounts } from './statements.ts'

export interface MeasuredTarget {
  name: string
  title: string
  role: Target['role']
  startMs: number
  idleMb: number
}

export interface Measured {
  machine: ReturnType<typeof describeMachine>
  plan: { rounds: number; seconds: number }
  targets: MeasuredTarget[]
  rounds: Partial<Record<OperationName, Record<string, Round[]>>>
  hashing: RawHashing[]
  overloads: Record<string, Overload>
  statements: Record<string, StatementCounts>
  changes: Record<string, AuditedChanges>
  openid: Record<string, OpenIdFigures>
  /** What could not start, and why. */
  leftOut: { title: string; reason: string }[]
}

/** One line of a table: a target at one operation. */
export interface Line {
  target: MeasuredTarget
  rate: number
  ratio: Ratio | null
  /** The ratio to the quickest peer. */
  peerRatio: Ratio | null
  p50: number
  p99: number
  cpuUs: number
  failed: number
}

const BASELINE = 'empty'

const of = (rounds: Round[], key: keyof Round) => rounds.map((round) => round[key])

/** The measure of an operation: the raw hashing rate or the empty route, round by round. */
function measureOf(measured: Measured, operation: OperationName) {
  if (operation === 'login') return measured.hashing.map(({ rate }) => rate)
  const baseline = measured.rounds[operation]?.[BASELINE]
  return baseline && of(baseline, 'rate')
}

/** The rates of the peer with the highest median, round by round. */
function quickestPeer({ targets, rounds }: Measured, operation: OperationName) {
  const peers = targets.filter(({ name, role }) => role === 'peer' && rounds[operation]?.[name])
  const rates = peers.map(({ name }) => of(rounds[operation]![name], 'rate'))
  return rates.toSorted((a, b) => median(b) - median(a)).at(0) ?? null
}

/** Processor time of one hash in this run, in microseconds. */
export function hashCpuUs({ hashing }: Measured) {
  return median(hashing.map(({ cpuUs }) => cpuUs))
}

export function linesOf(measured: Measured, operation: OperationName): Line[] {
  const baseline = measureOf(measured, operation)
  const peer = quickestPeer(measured, operation)
  return measured.targets.flatMap((target) => {
    const rounds = measured.rounds[operation]?.[target.name]
    if (!rounds) return []
    return {
      target,
      rate: median(of(rounds, 'rate')),
      ratio: baseline ? ratioOf(of(rounds, 'rate'), baseline) : null,
      peerRatio: peer && target.role !== 'baseline' ? ratioOf(of(rounds, 'rate'), peer) : null,
      p50: median(of(rounds, 'p50')),
      p99: median(of(rounds, 'p99')),
      cpuUs: median(of(rounds, 'cpuUs')),
      failed: of(rounds, 'failed').reduce((sum, count) => sum + count, 0),
    }
  })
}
