import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './support/temporary_folder.ts'
import { Postgres } from './servers/postgres.ts'
import { Redis } from './servers/redis.ts'
import { RedisCluster } from './servers/redis_cluster.ts'
import { RedisSentinel } from './servers/redis_sentinel.ts'
import type { TestCounts } from './support/test_counts.ts'

/*
 | `npm test` runs every suite, the functional suite on every backend. A final line has the total
 | counts. Three lanes run in parallel on two processors, because a suite waits half of its
 | time for servers, a browser or a disk. A line after each file reports the progress of its round;
 | the tests of a round are printed when it is done. `TEST_LANES=1` runs the rounds one by one. What
 | does not depend on the store is in one functional round (`tests/support/proved_on.ts`). With
 | arguments it runs Japa on SQLite, or on the backend in `TEST_BACKEND=postgres` or
 | `TEST_BACKEND=redis`: `npm test -- functional --files "functional/auth/*"`.
 */

/** The product is started more than a thousand times. Each start compiles less than the first. */
process.env.NODE_COMPILE_CACHE ??= temporaryFolder('compiled')

type Settings = Record<string, string>

interface Round {
  title: string
  suites: string[]
  /** Starts the servers of the round, and returns the product's settings for them. */
  start?: () => Promise<{ settings: Settings; stop: () => Promise<unknown> }>
}

/** On Postgres, the product does not generate its secrets. */
const SECRETS: Settings = Object.fromEntries(
  ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS'].map((name) => [
    name,
    randomBytes(48).toString('base64url'),
  ])
)

async function postgresAlone() {
  const postgres = await Postgres.start()
  const DATABASE_URL = await postgres.createDatabase()
  return {
    settings: { ...SECRETS, DB_CONNECTION: 'pg', STORE: 'database', DATABASE_URL },
    stop: () => postgres.remove(),
  }
}

async function postgresAndRedis() {
  const [postgres, redis] = [await postgresAlone(), await Redis.start()]
  return {
    settings: { ...postgres.settings, STORE: 'redis', REDIS_URL: redis.url },
    stop: () => Promise.all([postgres.stop(), redis.remove()]),
  }
}

/** Starts Postgres beside a Redis of several servers, for the tests of the store. */
async function postgresAnd(group: { settings: Settings; remove: () => Promise<void> }) {
  const postgres = await postgresAlone()
  return {
    settings: { ...postgres.settings, ...group.settings },
    stop: () => Promise.all([postgres.stop(), group.remove()]),
  }
}

const STORE_SUITE = ['functional', '--files', 'tests/functional/store/*']

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)

/** The folder for the output and the counts of the rounds of a complete run. */
const folder = args.length > 0 ? '' : temporaryFolder('counts')

/**
 * Files whose tests do not hold the product to deadlines: a delay of milliseconds does not matter,
 * so that they may run beside other rounds. A file that is not listed runs at the end.
 */
const WITHOUT_DEADLINES: Record<string, RegExp> = {
  commands: /^commands/,
  applications:
    /^key_commands|^mail|^counterpart|^example|^openapi_clients|^reverse_proxy|^stored|^secrets|^systemd/,
  processes:
    /^(signing_keys|openid_(restarts|provider|inert)|promotion|cookies|verification|passkeys|api_keys|client_deletion|brand|cors|backup(_disk|_opening)?|scheduled_backups|failed_restore|settings(_commands)?|configuration_files)\.spec/,
  servers:
    /^(identity_keys|restore|webhooks|webhook_receivers|tracing|trail|replica|releases|configuration_version|backchannel_logout|live_processes|start_failures|metrics|member_removal|provider_off|postgres_pool|openid_refusals|switched_store|log_output|loopback|ended_sessions|image|files|named_statements)\.spec/,
}
const processFiles = readdirSync(join(root, 'tests/process'), { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.spec.ts'))
  .sort()
const hasDeadlines = (file: string) =>
  !Object.values(WITHOUT_DEADLINES).some((pattern) => pattern.test(file))

function processSuite(files: string[]) {
  return ['process', ...files.flatMap((file) => ['--files', `tests/process/${file}`])]
}

function processesOf(kind: string) {
  return processSuite(processFiles.filter((file) => WITHOUT_DEADLINES[kind].test(file)))
}

/** The longest rounds come first, so that the lanes end at about the same time. */
const rounds: Round[] = [
  { title: 'Mail, applications', suites: processesOf('applications') },
  { title: 'Processes without deadlines', suites: processesOf('processes') },
  { title: 'Functional, Postgres and Redis', suites: ['functional'], start: postgresAndRedis },
  { title: 'Browser', suites: ['browser'] },
  { title: 'Commands', suites: processesOf('commands') },
  { title: 'Functional, Postgres', suites: ['functional'], start: postgresAlone },
  { title: 'Servers', suites: processesOf('servers') },
  { title: 'Functional, SQLite', suites: ['functional'] },
  { title: 'Units', suites: ['unit'] },
  {
    title: 'Store, Redis Cluster',
    suites: STORE_SUITE,
    start: async () => postgresAnd(await RedisCluster.start()),
  },
  {
    title: 'Store, Redis Sentinel',
    suites: STORE_SUITE,
    start: async () => postgresAnd(await RedisSentinel.start()),
  },
]

const withDeadlines = processFiles.filter(hasDeadlines)
const isOfLoss = (file: string) => /^(redis_|late_store|loss|drain|pgbouncer)/.test(file)

/**
 * Rounds that hold the product to its deadlines. They mostly wait for servers that are gone or
 * late: two of them in parallel leave both processors half idle.
 */
const deadlines: Round[] = [
  { title: 'Deadlines, losses', suites: processSuite(withDeadlines.filter(isOfLoss)) },
  {
    title: 'Deadlines, others',
    suites: processSuite(withDeadlines.filter((file) => !isOfLoss(file))),
  },
]

/** The file descriptor to which the runs report their progress. */
const STDOUT = 1

/** How many rounds run in parallel, and how many rounds with deadlines do. */
const [LANES, LANES_WITH_DEADLINES] = process.env.TEST_LANES === '1' ? [1, 1] : [3, 2]

/** Does not check types, which takes three times as long. `npm run typecheck` checks them. */
function build() {
  const result = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' })
  if (result.status === 0) return
  throw new Error(`The build failed.\n${result.stdout}${result.stderr}`)
}

/** A signal makes a round report what keeps it running: stack, timers, sockets and processes. */
const REPORT = ['--report-on-signal', '--report-filename=stdout', '--report-exclude-env']

const IMPORTS = [
  '--import=@poppinss/ts-exec',
  `--import=${new URL('resolved_imports.js', import.meta.url)}`,
]

/** Runs Japa in a separate process, which writes to `stdio`. */
function startJapa(suites: string[], settings: Settings, stdio: StdioOptions) {
  const command = [...REPORT, ...IMPORTS, 'bin/test.ts', ...suites]
  const env = { ...process.env, ...settings }
  return spawn(process.execPath, command, { cwd: root, env, stdio })
}

function exitCodeOf(child: ChildProcess) {
  return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** A round that writes nothing for this long hangs. One test takes five minutes at the most. */
const SILENCE_MS = 420_000

/** Kills a round that hangs. Its tests count as failed, and the following rounds still run. */
function killWhenSilent(child: ChildProcess, log: string) {
  const watch = setInterval(() => {
    if (Date.now() - statSync(log).mtimeMs < SILENCE_MS) return
    clearInterval(watch)
    appendFileSync(log, `\n✖ killed: nothing was written for ${SILENCE_MS / 60_000} minutes\n`)
    child.kill('SIGUSR2')
    setTimeout(() => child.kill('SIGKILL'), 5_000)
  }, 5_000)
  child.once('exit', () => clearInterval(watch))
}

type RoundResult = TestCounts & { title: string }

const WHY = 'The end of its output above says why.'
const ENDED_EARLY = { title: '(ended early)', reason: WHY }
const ENDED_BADLY = { title: '(ended by an error or a signal)', reason: WHY }

/** A run that ends with an error counts as a failure, even if all its tests have passed. */
async function runSuites({ title, suites }: Round, settings: Settings): Promise<RoundResult> {
  const base = join(folder, title.replaceAll(/\W+/g, '-'))
  const [TEST_COUNTS, log] = [`${base}.json`, `${base}.log`]
  const output = openSync(log, 'w')
  const startedAt = Date.now()
  const names = { TEST_COUNTS, TEST_TITLE: title }
  const stdio = ['ignore', output, output, STDOUT] as const
  const child = startJapa(suites, { ...settings, ...names }, [...stdio])
  killWhenSilent(child, log)
  const code = await exitCodeOf(child)
  closeSync(output)
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(`\n── ${title}, ${seconds} s ${'─'.repeat(Math.max(0, 66 - title.length))}`)
  process.stdout.write(readFileSync(log))
  if (!existsSync(TEST_COUNTS)) return { title, passed: 0, failed: 1, failures: [ENDED_EARLY] }
  const counts: TestCounts = JSON.parse(readFileSync(TEST_COUNTS, 'utf8'))
  if (code === 0 || counts.failed > 0) return { title, ...counts }
  return { title, ...counts, failed: 1, failures: [ENDED_BADLY] }
}

/** Each lane has its own ports, and so does this process. */
const portsOf = (lane: number) => ({ TEST_PORTS: `${lane + 1}/${LANES + 1}` })

async function runRound(round: Round, lane: number): Promise<RoundResult> {
  console.log(`${round.title} …`)
  const servers = await round.start?.()
  try {
    return await runSuites(round, { ...servers?.settings, ...portsOf(lane) })
  } finally {
    await servers?.stop()
  }
}

/** Runs the next round when one has ended, until none is left. */
async function runLane(waiting: Round[], lane: number) {
  const results: RoundResult[] = []
  for (let round = waiting.shift(); round; round = waiting.shift()) {
    results.push(await runRound(round, lane))
  }
  return results
}

async function runLanes(length: number, waiting: Round[]) {
  const results = await Promise.all(Array.from({ length }, (_, lane) => runLane(waiting, lane)))
  return results.flat()
}

async function runAll() {
  Object.assign(process.env, portsOf(LANES))
  build()
  const results = await runLanes(LANES, [...rounds])
  results.push(...(await runLanes(LANES_WITH_DEADLINES, [...deadlines])))
  console.log('')
  for (const { title, passed, failed } of results) {
    console.log(`${title.padEnd(32)} ${String(passed).padStart(5)} passed ${failed} failed`)
  }
  for (const { title, failures } of results) {
    for (const failure of failures) console.log(`✖ ${title}: ${failure.title}\n${failure.reason}\n`)
  }
  const total = (key: 'passed' | 'failed') => results.reduce((sum, result) => sum + result[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  return total('failed') === 0 ? 0 : 1
}

const BACKENDS: Record<string, Round['start']> = {
  sqlite: undefined,
  postgres: postgresAlone,
  redis: postgresAndRedis,
}

/**
 * Runs Japa with the given arguments on the backend that `TEST_BACKEND` names. Otherwise, each
 * product of the process suite would build what is older than its sources.
 */
async function runSome() {
  if (args.includes('process')) build()
  const servers = await BACKENDS[process.env.TEST_BACKEND ?? 'sqlite']?.()
  try {
    return await exitCodeOf(startJapa(args, servers?.settings ?? {}, 'inherit'))
  } finally {
    await servers?.stop()
  }
}

process.exitCode = args.length > 0 ? await runSome() : await runAll()
