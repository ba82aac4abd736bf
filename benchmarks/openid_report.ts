import { OPENID_OPERATIONS, type OpenIdOperation } from './openid.ts'
import { median, ratioOf } from './statistics.ts'
import { formatCount, range, round, table } from './table.ts'
import type { Measured } from './measured.ts'
import type { Round } from './load.ts'

const ALONE = 'oidc-provider'

const of = (rounds: Round[], key: keyof Round) => rounds.map((each) => each[key])

const PARTS_OF_PROFILE: OpenIdOperation[] = ['userinfo', 'introspection']

/** Ratios are to the library alone: they show the cost of database, sessions and trail. */
function operationRows({ openid, targets }: Measured, operation: OpenIdOperation) {
  const alone = openid[ALONE]?.rounds[operation]
  return targets.flatMap(({ name, title }) => {
    const rounds = openid[name]?.rounds[operation]
    if (!rounds) return []
    const profile = openid[name].rounds.profile
    const rates = of(rounds, 'rate')
    return [
      [
        title,
        round(median(rates)),
        alone ? range(ratioOf(rates, of(alone, 'rate'))) : '',
        profile && PARTS_OF_PROFILE.includes(operation)
          ? range(ratioOf(rates, of(profile, 'rate')))
          : '',
        round(median(of(rounds, 'p50')), 1),
        round(median(of(rounds, 'p99')), 1),
        round(median(of(rounds, 'cpuUs'))),
        formatCount(openid[name].statements[operation]),
        String(of(rounds, 'failed').reduce((sum, count) => sum + count, 0)),
      ],
    ]
  })
}

function operationTable(measured: Measured, operation: OpenIdOperation) {
  const head = [`application: ${operation}`, 'per second', 'of alone', 'of its profile']
  const more = ['p50 ms', 'p99 ms', 'CPU µs each', 'statements', 'failed']
  const columns = [...head, ...more]
  const absent = measured.leftOut.map(({ title, reason }) => [
    title,
    reason,
    ...columns.slice(2).map(() => ''),
  ])
  return table(columns, [...operationRows(measured, operation), ...absent])
}

function memoryTable({ openid, targets }: Measured) {
  const rows = targets
    .filter(({ name }) => name in openid)
    .map(({ name, title }) => {
      const { before, after } = openid[name].memory
      return [title, String(before), String(after)]
    })
  return table(['memory, MB', 'before the first sign-in', 'after it'], rows)
}

/** A table for each operation of applications, and one for the memory that providers take. */
export function openidTables(measured: Measured) {
  if (Object.keys(measured.openid).length === 0) return []
  const isMeasured = (operation: OpenIdOperation) => operationRows(measured, operation).length > 0
  const operations = OPENID_OPERATIONS.filter(isMeasured)
  const tables = operations.map((operation) => operationTable(measured, operation))
  return [...tables, memoryTable(measured)].map((lines) => lines.join('\n'))
}
