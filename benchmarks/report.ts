import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashCpuUs, linesOf, type Line, type Measured } from './measured.ts'
import { plot } from './plot.ts'
import { openidTables } from './openid_report.ts'
import { COUNTED } from './statements.ts'
import { median } from './statistics.ts'
import { formatCount, range, round, table } from './table.ts'
import type { OperationName } from './targets.ts'

function operationTable(measured: Measured, operation: OperationName) {
  const isLogin = operation === 'login'
  const against = isLogin ? 'of raw argon2id' : 'of the empty route'
  const head = [operation, 'per second', against, 'of the quickest peer', 'p50 ms', 'p99 ms']
  const more = ['CPU µs each', ...(isLogin ? ['beyond the hash'] : []), 'failed']
  const rows = linesOf(measured, operation).map((line) => [
    line.target.title,
    round(line.rate),
    range(line.ratio),
    range(line.peerRatio),
    round(line.p50, 1),
    round(line.p99, 1),
    round(line.cpuUs),
    ...(isLogin ? [beyondHash(measured, line)] : []),
    String(line.failed),
  ])
  return table([...head, ...more], rows)
}

/** Processor time of a login without its hash, in microseconds and as a share of the hash. */
function beyondHash(measured: Measured, { cpuUs }: Line) {
  const hash = hashCpuUs(measured)
  return `${round(cpuUs - hash)} (${round(((cpuUs - hash) / hash) * 100)} %)`
}

function statementTable({ statements, targets }: Measured) {
  const head = ['statements to Postgres + commands to Redis', ...COUNTED]
  const rows = targets
    .filter(({ name }) => name in statements)
    .map(({ name, title }) => [
      title,
      ...COUNTED.map((operation) => formatCount(statements[name][operation])),
    ])
  return table(head, rows)
}

function changesTable({ changes, targets }: Measured) {
  const rows = targets
    .filter(({ name }) => name in changes)
    .map(({ name, title }) => {
      const { one, two, failed } = changes[name]
      const gain = two ? [round(two), round(two / one, 2)] : ['–', '–']
      return [title, round(one), ...gain, String(failed)]
    })
  return table(
    ['audited changes of 64 users', 'one process, /s', 'two, /s', 'gain', 'failed'],
    rows
  )
}

function overloadTable({ overloads, targets }: Measured) {
  const head = [
    '3× overload',
    'offered/s',
    'accepted/s',
    '503/s',
    'other',
    '503 p99 ms',
    'profile p99 ms',
  ]
  const rows = targets
    .filter(({ name }) => name in overloads)
    .map(({ name, title }) => {
      const { offered, accepted, refused, other, refusalP99, profileP99 } = overloads[name]
      const counts = [offered, accepted, refused, other].map((value) => round(value))
      return [title, ...counts, refused ? round(refusalP99, 1) : '–', round(profileP99, 1)]
    })
  return table(head, rows)
}

function startTable({ targets }: Measured) {
  const rows = targets.map(({ title, startMs, idleMb }) => [title, `${startMs}`, `${idleMb}`])
  return table(['start', 'first 200, ms', 'idle memory, MB'], rows)
}

function markdown(measured: Measured) {
  const { machine, plan, hashing } = measured
  const rates = hashing.map(({ rate }) => rate)
  const operations = Object.keys(measured.rounds) as OperationName[]
  return [
    `${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}; load average at the start ${machine.loadAverage}.`,
    `Medians of ${plan.rounds} interleaved rounds of ${plan.seconds} s; ratios round by round, with the lowest and the highest.`,
    ...(rates.length > 0
      ? [
          `Raw argon2id: ${round(median(rates))} per second, ${round(hashCpuUs(measured))} µs of processor time each.`,
        ]
      : []),
    ...operations.map((operation) => operationTable(measured, operation).join('\n')),
    ...(operations.length > 0
      ? [statementTable, changesTable, overloadTable].map((write) => write(measured).join('\n'))
      : []),
    ...openidTables(measured),
    startTable(measured).join('\n'),
  ].join('\n\n')
}

/** Writes `results.json`, `results.md` and `results.svg`, and prints the tables. */
export function report(measured: Measured, folder: string) {
  mkdirSync(folder, { recursive: true })
  const text = markdown(measured)
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(measured, null, 2)}\n`)
  writeFileSync(join(folder, 'results.md'), `${text}\n`)
  writeFileSync(join(folder, 'results.svg'), plot(measured))
  console.log(text)
}
