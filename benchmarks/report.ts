import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf, type Measured } from './measured.ts'
import { plot } from './plot.ts'
import { median } from './statistics.ts'
import type { OperationName } from './targets.ts'

const round = (value: number, digits = 0) => value.toFixed(digits)

function table(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ]
}

function operationTable(measured: Measured, operation: OperationName) {
  const against = operation === 'login' ? 'of raw argon2id' : 'of the empty route'
  const head = [operation, 'per second', against, 'p50 ms', 'p99 ms', 'CPU µs each', 'failed']
  const rows = linesOf(measured, operation).map(({ target, ratio, ...line }) => [
    target.title,
    round(line.rate),
    ratio ? `${round(ratio.median, 2)} (${round(ratio.lowest, 2)}–${round(ratio.highest, 2)})` : '',
    round(line.p50, 1),
    round(line.p99, 1),
    round(line.cpuUs),
    String(line.failed),
  ])
  return table(head, rows)
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
  const { machine, plan, hashRates } = measured
  const operations = Object.keys(measured.rounds) as OperationName[]
  return [
    `${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}; load average at the start ${machine.loadAverage}.`,
    `Medians of ${plan.rounds} interleaved rounds of ${plan.seconds} s; ratios round by round, with the lowest and the highest.`,
    ...(hashRates.length > 0 ? [`Raw argon2id: ${round(median(hashRates))} per second.`] : []),
    ...operations.map((operation) => operationTable(measured, operation).join('\n')),
    overloadTable(measured).join('\n'),
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
