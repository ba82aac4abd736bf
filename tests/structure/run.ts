import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findCycles, mutualFolders } from './graph.ts'
import {
  commentLines,
  countAny,
  fileLengths,
  functionLengths,
  testLengths,
  type Length,
} from './lengths.ts'
import { importsOf, readSources } from './source_files.ts'

/*
 | `npm run structure` measures the sources against the bounds of the house style. `--list` names
 | what exceeds a bound, and `--strict` exits with 1 if anything does.
 */

const HELP = `npm run structure -- [--list] [--strict]

Measures the sources: lengths of files and functions, comments, cycles, settings.

  --list     name what lies beyond each bound
  --strict   end with 1 if a bound is passed`

const flag = { type: 'boolean' } as const
const { values } = parseArgs({ options: { list: flag, strict: flag, help: flag } })

interface Measure {
  name: string
  value: string
  bound: string
  beyond: string[]
}

const BOUNDS = { files: [45, 95, 220], functions: [3, 9, 35], tests: 60, views: [60, 160] }

function percentile(lengths: number[], share: number) {
  const sorted = lengths.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1]
}

/** The median, the 90th percentile and the longest. */
function spread(name: string, lengths: Length[], bound: number[]): Measure {
  const lines = lengths.map((each) => each.lines)
  const measured = [percentile(lines, 0.5), percentile(lines, 0.9), percentile(lines, 1)]
  const isBeyond = measured.some((value, at) => value > bound[at])
  const longest = lengths.toSorted((one, other) => other.lines - one.lines)
  const tooLong = longest.filter((each) => each.lines > bound[2]).map(show)
  const beyond = isBeyond && tooLong.length === 0 ? longest.slice(0, 10).map(show) : tooLong
  return { name, value: measured.join(' / '), bound: bound.join(' / '), beyond }
}

const show = ({ where, lines }: Length) => `${where} (${lines})`

function most(name: string, beyond: string[], bound: number): Measure {
  const isBeyond = beyond.length > bound
  return { name, value: `${beyond.length}`, bound: `${bound}`, beyond: isBeyond ? beyond : [] }
}

function comments(sources: Parameters<typeof commentLines>[0]): Measure {
  const { comments: count, lines } = commentLines(sources)
  const percent = (100 * count) / lines
  const beyond = percent > 9 ? [`${count} of ${lines} lines`] : []
  return { name: 'Comments', value: `${percent.toFixed(1)} %`, bound: '9 %', beyond }
}

function viewMeasures(): Measure[] {
  const views = globSync('resources/views/**/*.edge').map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))
  const [mostLines, mostCharacters] = BOUNDS.views
  const long = fileLengths(views).filter((each) => each.lines > mostLines)
  const wide = views.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (line.length > mostCharacters ? [`${path}:${at + 1}`] : []))
  )
  return [
    most(`Views of more than ${mostLines} lines`, long.map(show), 0),
    most(`Lines of views over ${mostCharacters} characters`, wide, 0),
  ]
}

/** Settings that the contract has added to the first 72. */
const LATER_SETTINGS = [
  'LOG_FORMAT',
  'LOG_REQUESTS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OUTBOUND_ALLOWED_NETWORKS',
  'WEBFINGER_DOMAINS',
  'OIDC_ACCESS',
  'TOKEN_CLAIMS',
  'CONFIG_FILES',
  'WEBHOOK_RETENTION',
  'BACKUP_EVERY',
  'BACKUP_DIR',
  'BACKUP_KEEP',
  'BACKUP_RECIPIENT',
  'SETTINGS_IN_CONSOLE',
]

function settings(): Measure {
  const names = readFileSync('start/env.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)
  const found = [...names].map(([, name]) => name)
  return most('Settings', found, 72 + LATER_SETTINGS.length)
}

function measure(): Measure[] {
  const sources = readSources('{app,bin,commands,config,database,start}/**/*.ts')
  const tests = readSources('tests/**/*.spec.ts')
  const imports = importsOf(sources)
  const longTests = testLengths(tests).filter((each) => each.lines > BOUNDS.tests)
  return [
    spread('Lines of files', fileLengths(sources), BOUNDS.files),
    spread('Lines of functions', functionLengths(sources), BOUNDS.functions),
    most(`Tests of more than ${BOUNDS.tests} lines`, longTests.map(show), 0),
    ...viewMeasures(),
    comments(sources),
    most('“as any”', countAny(sources), 0),
    most(
      'Import cycles',
      findCycles(imports).map((files) => files.join(' → ')),
      0
    ),
    most('Folders that import each other', mutualFolders(imports), 8),
    settings(),
  ]
}

if (values.help) console.log(HELP)
else report(measure())

function report(measures: Measure[]) {
  for (const { name, value, bound, beyond } of measures) {
    const mark = beyond.length > 0 ? '✖' : '✔'
    console.log(`${mark} ${name.padEnd(34)} ${value.padStart(14)}   at most ${bound}`)
    if (values.list) for (const each of beyond) console.log(`    ${each}`)
  }
  if (values.strict && measures.some(({ beyond }) => beyond.length > 0)) process.exitCode = 1
}
