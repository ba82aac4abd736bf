import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { sharedSettings } from '../tests/process/backend.ts'
import { cleanEnvironment, newDataDir, Product, root } from '../tests/process/product.ts'
import { newIdentity } from '../tests/functional/backup/archives.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { POSTGRES, rowsOf, seedsOf, SQLITE } from './backup_seeds.ts'
import { waitsDuringBackup, type Waits } from './backup_load.ts'
import { describeMachine } from './machine.ts'
import { round, table } from './table.ts'

/*
 | `npm run bench:backup`: rows a second and the most memory of `backup:create`, `backup:verify` and
 | `backup:restore` on both databases, and what requests wait while a scheduled backup is made.
 */

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const USERS = Number(options.users)
const ROWS = rowsOf(USERS)

interface Backend {
  title: string
  settings: Record<string, string>
  seed(dataDir: string): Promise<unknown>
  /** Settings of an empty installation, to restore into. */
  empty(): Promise<Record<string, string>>
  stop(): Promise<unknown>
}

const sqlite: Backend = {
  title: 'SQLite',
  settings: {},
  async seed(dataDir) {
    const database = new Sqlite(join(dataDir, 'gatehouse.sqlite'))
    database.pragma('synchronous = OFF')
    for (const sql of seedsOf(SQLITE, USERS)) database.exec(sql)
    database.close()
  },
  empty: async () => ({}),
  stop: () => Promise.resolve(),
}

async function postgres(): Promise<Backend> {
  const server = await Postgres.start()
  const settings = sharedSettings(await server.createDatabase('bench_backup'))
  return {
    title: 'Postgres',
    settings,
    async seed() {
      for (const sql of seedsOf(POSTGRES, USERS)) await server.query(sql, 'bench_backup')
    },
    empty: async () => ({ ...settings, DATABASE_URL: await server.createDatabase() }),
    stop: () => server.remove(),
  }
}

interface Run {
  seconds: number
  peakMb: number
}

/** `VmHWM` is the most memory that the process had so far. */
function peakOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function run(args: string[], dataDir: string, settings: Record<string, string>) {
  const startedAt = performance.now()
  /* As `npm run ace` runs it. */
  const program = ['--max-semi-space-size=4', 'bin/launch.js', 'ace']
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    env: { ...cleanEnvironment(), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid!))), 20)
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${stderr}`)
  return { seconds: (performance.now() - startedAt) / 1_000, peakMb: (peak * 1_024) / 1e6 } as Run
}

interface Figures {
  title: string
  megabytes: number
  runs: Record<string, Run>
  waits: Waits
}

async function measure(backend: Backend): Promise<Figures> {
  const folder = temporaryFolder('bench')
  const [dataDir, other] = [newDataDir(), newDataDir()]
  const [key, file] = [join(folder, 'key.txt'), join(folder, 'backup.age')]
  const { identity, recipient } = await newIdentity()
  writeFileSync(key, identity)
  try {
    const product = await Product.start(backend.settings, dataDir)
    await product.stop()
    console.error(`${backend.title}: ${USERS} users`)
    await backend.seed(dataDir)
    const create = ['backup:create', `--recipient=${recipient}`, `--output=${file}`]
    const open = [file, `--identity=${key}`]
    const empty = await backend.empty()
    const runs = {
      create: await run(create, dataDir, backend.settings),
      verify: await run(['backup:verify', ...open], other, empty),
      restore: await run(['backup:restore', ...open, '--yes'], other, empty),
    }
    const waits = await waitsDuringBackup(backend.settings, dataDir, recipient)
    return { title: backend.title, megabytes: statSync(file).size / 1e6, runs, waits }
  } finally {
    for (const each of [folder, dataDir, other]) rmSync(each, { recursive: true, force: true })
    await backend.stop()
  }
}

function commandTable(figures: Figures[]) {
  const head = ['command', 'seconds', 'rows a second', 'most memory, MB', 'archive, MB']
  const rows = figures.flatMap(({ title, runs, megabytes }) =>
    Object.entries(runs).map(([name, { seconds, peakMb }]) => [
      `${name}, ${title}`,
      round(seconds, 1),
      round(ROWS / seconds),
      round(peakMb),
      round(megabytes, 1),
    ])
  )
  return table(head, rows).join('\n')
}

function waitTable(figures: Figures[]) {
  const head = ['profile, ms', 'p50', 'p99', 'longest', 'p50 meanwhile', 'p99', 'longest', 'asked']
  const rows = figures.map(({ title, waits: { without, meanwhile } }) => {
    const times = [without, meanwhile].flatMap(({ p50, p99, longest }) => [p50, p99, longest])
    return [title, ...times.map((time) => round(time, 1)), String(meanwhile.asked)]
  })
  return table(head, rows).join('\n')
}

buildProduct()
const machine = describeMachine()
const figures: Figures[] = []
for (const start of [async () => sqlite, postgres]) figures.push(await measure(await start()))
const report = [`${USERS} users, ${ROWS} rows`, commandTable(figures), waitTable(figures)]
mkdirSync(options.out, { recursive: true })
const results = { machine, users: USERS, figures }
writeFileSync(join(options.out, 'backup.md'), `${report.join('\n\n')}\n`)
writeFileSync(join(options.out, 'backup.json'), `${JSON.stringify(results, null, 2)}\n`)
console.log(report.join('\n\n'))
