import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Postgres } from './servers/postgres.ts'
import { Redis } from './servers/redis.ts'
import { RedisCluster } from './servers/redis_cluster.ts'
import { RedisSentinel } from './servers/redis_sentinel.ts'
import type { TestCounts } from './test_counts.ts'

/*
 | What `npm test` runs: every suite, the functional one on every backend, and at the end
 | one line with the count of all. With arguments it is Japa on the embedded default:
 | `npm test -- functional --files "functional/auth/*"`.
 */

type Settings = Record<string, string>

interface Round {
  title: string
  suites: string[]
  /** Starts the servers of the round, and returns the product's settings for them. */
  start?: () => Promise<{ settings: Settings; stop: () => Promise<unknown> }>
}

/** On Postgres the product does not generate its secrets. */
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

/** Postgres beside a Redis of several servers, for the tests of the store. */
async function postgresAnd(group: { settings: Settings; remove: () => Promise<void> }) {
  const postgres = await postgresAlone()
  return {
    settings: { ...postgres.settings, ...group.settings },
    stop: () => Promise.all([postgres.stop(), group.remove()]),
  }
}

const STORE_SUITE = ['functional', '--files', 'tests/functional/store/*']

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-counts-'))

const rounds: Round[] = [
  { title: 'Units', suites: ['unit'] },
  { title: 'Functional, SQLite', suites: ['functional'] },
  { title: 'Functional, Postgres', suites: ['functional'], start: postgresAlone },
  { title: 'Functional, Postgres and Redis', suites: ['functional'], start: postgresAndRedis },
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
  { title: 'Browser', suites: ['browser'] },
  { title: 'Processes', suites: ['process'] },
]

function build() {
  const result = spawnSync(process.execPath, ['ace.js', 'build'], { cwd: root, encoding: 'utf8' })
  if (result.status === 0) return
  throw new Error(`The build failed.\n${result.stdout}${result.stderr}`)
}

/** Runs Japa in a process of its own and resolves with its exit code. */
function japa(args: string[], settings: Settings = {}) {
  const command = ['--import=@poppinss/ts-exec', 'bin/test.ts', ...args]
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: 'inherit' })
  return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** A run that ended with an error counts as a failure even if all its tests passed. */
async function runSuites(args: string[], settings: Settings): Promise<TestCounts> {
  const path = join(folder, 'counts.json')
  rmSync(path, { force: true })
  const code = await japa(args, { ...settings, TEST_COUNTS: path })
  if (!existsSync(path)) return { passed: 0, failed: 1 }
  const counts: TestCounts = JSON.parse(readFileSync(path, 'utf8'))
  return { ...counts, failed: Math.max(counts.failed, code === 0 ? 0 : 1) }
}

async function runRound({ title, suites, start }: Round): Promise<TestCounts> {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 74 - title.length))}`)
  const servers = await start?.()
  try {
    return await runSuites(suites, servers?.settings ?? {})
  } finally {
    await servers?.stop()
  }
}

async function runAll() {
  build()
  const results: (TestCounts & { title: string })[] = []
  for (const round of rounds) results.push({ title: round.title, ...(await runRound(round)) })
  rmSync(folder, { recursive: true, force: true })
  console.log('')
  for (const { title, passed, failed } of results) {
    console.log(`${title.padEnd(32)} ${String(passed).padStart(5)} passed ${failed} failed`)
  }
  const total = (key: keyof TestCounts) => results.reduce((sum, result) => sum + result[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  return total('failed') === 0 ? 0 : 1
}

const args = process.argv.slice(2)
process.exitCode = args.length > 0 ? await japa(args) : await runAll()
