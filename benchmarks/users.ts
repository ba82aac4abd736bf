import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { Product, type JsonRequest } from '../tests/process/product.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { describeMachine } from './machine.ts'
import { plotGrowth } from './plot.ts'
import { send } from './send.ts'
import { median } from './statistics.ts'
import {
  addApplication,
  GROUP_CHANGES,
  GROUP_QUERIES,
  groupStatements,
  POSTGRES,
  previewOf,
  SQLITE,
  USER_PREFIX,
  userId,
} from './user_groups.ts'

/*
 | `npm run bench:users`: what lists of users cost as their number grows to a million, on
 | both databases. One caller asks in turn, so that no request waits for another.
 */

const { values: options } = parseArgs({
  options: {
    most: { type: 'string', default: '1000000' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const SIZES = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= Number(options.most))
const REPEATS = 25
const ADMIN = { email: 'admin@bench.example', password: 'Correct-h0rse!' }

/**
 * A user for each number, the same on both databases: `n` is the number in SQL. Without a handle,
 * each row would write the index of names on SQLite three times.
 */
const USER_RECORD = (id: string) => `
  ${id}, 'person' || n || '@example.org', 'person ' || n, 'person-' || n, 'nick' || (n % 977),
  CASE WHEN n % 500 = 0 THEN 'Admin' ELSE 'User' END, 1700000000000 + n, 1700000000000 + n,
  1700000000000 + n, n % 5 = 0, CASE WHEN n % 10 = 0 THEN 1700000000000 + n END`

const COLUMNS =
  'id, email, username, handle, nickname, role, created_at, updated_at, password_changed_at, mfa_enabled, last_login_at'

/** A session for each user. */
const SESSION = (id: string) => `
  ${id}, ${id}, 'default', 'Chrome on Windows', '192.0.2.1', 'none', 'password', 'pwd',
  1700000000000 + n, 1700000000000 + n, 1700000000000 + n, 4102444800000`

const SESSION_COLUMNS =
  'id, user_id, device_id, device_name, ip, refresh_hash, method, amr, authenticated_at, created_at, last_activity_at, expires_at'

interface Backend {
  title: string
  settings: Record<string, string>
  /** Adds the users from one number to another. */
  seed(product: Product, from: number, to: number): Promise<unknown>
  stop(): Promise<unknown>
}

const sqlite: Backend = {
  title: 'SQLite',
  settings: {},
  async seed(product, from, to) {
    const database = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'))
    database.pragma('synchronous = OFF')
    const id = SQLITE.id(USER_PREFIX, 'n')
    const numbers = `WITH RECURSIVE numbers (n) AS
      (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to - 1})`
    database.exec(`
      INSERT INTO users (${COLUMNS}) ${numbers} SELECT ${USER_RECORD(id)} FROM numbers;
      INSERT INTO sessions (${SESSION_COLUMNS}) ${numbers} SELECT ${SESSION(id)} FROM numbers;`)
    for (const statement of groupStatements(SQLITE, from, to)) database.exec(statement)
    database.close()
  },
  stop: () => Promise.resolve(),
}

async function postgres(): Promise<Backend> {
  const server = await Postgres.start()
  const name = 'bench_users'
  const keyrings = ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS']
  const secrets = keyrings.map((keyring) => [keyring, randomBytes(48).toString('base64url')])
  const DATABASE_URL = await server.createDatabase(name)
  const id = POSTGRES.id(USER_PREFIX, 'n')
  return {
    title: 'Postgres',
    settings: { ...Object.fromEntries(secrets), DB_CONNECTION: 'pg', DATABASE_URL },
    async seed(_, from, to) {
      const numbers = `FROM generate_series(${from}, ${to - 1}) AS n`
      await server.query(
        `INSERT INTO users (${COLUMNS}) SELECT ${USER_RECORD(id)} ${numbers}`,
        name
      )
      const sessions = `SELECT ${SESSION(id)} ${numbers}`
      await server.query(`INSERT INTO sessions (${SESSION_COLUMNS}) ${sessions}`, name)
      for (const statement of groupStatements(POSTGRES, from, to))
        await server.query(statement, name)
      await server.query('VACUUM ANALYZE users, sessions, groups, group_members', name)
    },
    stop: () => server.remove(),
  }
}

/** Returns the id of the user half way, in the order of their creation. */
function halfwayId(size: number) {
  return userId(Math.floor(size / 2))
}

/** Returns the cursor in the middle of a list of that many users. */
function halfwayCursor(size: number) {
  const createdAt = 1_700_000_000_000 + Math.floor(size / 2)
  const cursor = JSON.stringify(['createdAt', createdAt, halfwayId(size)])
  return Buffer.from(cursor).toString('base64url')
}

/** Returns the point in time after which that many of the users were created. */
function momentBefore(size: number, users: number) {
  return new Date(1_700_000_000_000 + size - users).toISOString()
}

const QUERIES: Record<string, (size: number) => string> = {
  'first page': () => '/users',
  'first page, by e-mail': () => '/users?sort=email',
  'first page, version 2': () => '/api/v2/users',
  'page half way, version 2': (size) => `/api/v2/users?cursor=${halfwayCursor(size)}`,
  'administrators': () => '/users?role=Admin',
  'people of a role, by e-mail': () => '/users?role=User&sort=email',
  'active': () => '/users?status=active',
  'locked, none': () => '/users?status=locked',
  'disabled, none, by e-mail': () => '/users?status=disabled&sort=email',
  'services, none, by e-mail': () => '/users?kind=service&sort=email',
  'with MFA': () => '/users?mfa=yes',
  'created since, 1,000': (size) => `/users?createdFrom=${momentBefore(size, 1_000)}`,
  'created since, 100, by e-mail': (size) =>
    `/users?createdFrom=${momentBefore(size, 100)}&sort=email`,
  'active since, 100': (size) => `/users?lastLoginFrom=${momentBefore(size, 1_000)}`,
  'active since, 100, latest first': (size) =>
    `/users?lastLoginFrom=${momentBefore(size, 1_000)}&sort=-lastLoginAt`,
  'search, one match': (size) => `/users?search=person${size - 1}%40`,
  'search, every match': () => '/users?search=example.org',
  'search, no match': () => '/users?search=nobody',
  'search, two letters': () => '/users?search=ck',
  'sessions of one user': (size) => `/users/${halfwayId(size)}/sessions`,
  'search, version 2': (size) => `/api/v2/users?search=person${size - 1}%40`,
  ...GROUP_QUERIES,
}

type Requests = (size: number) => [path: string, request: JsonRequest][]

/** Returns the measured requests by title; the requests of a title are sent one after the other. */
function measuredRequests(application: string): [string, Requests][] {
  const queries = {
    ...QUERIES,
    'what an application learns of 100 groups': (size: number) => previewOf(application, size),
  }
  const asked = Object.entries(queries).map(([title, path]): [string, Requests] => {
    return [title, (size) => [[path(size), {}]]]
  })
  return [...asked, ...Object.entries(GROUP_CHANGES)]
}

/** Returns the median time of all answers together, in milliseconds. */
async function ask(product: Product, requests: ReturnType<Requests>, token: string) {
  const times: number[] = []
  for (let count = 0; count <= REPEATS; count++) {
    const startedAt = performance.now()
    for (const [path, request] of requests) {
      await send(product, path, { ...request, token })
    }
    if (count > 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** Without them, the first size would include the compilation on both sides. */
const WARM_UPS = 10

/** Seeding a million takes longer than an access token lives. */
async function signIn(product: Product) {
  const { body } = await product.request('/auth/login', { body: ADMIN })
  return body.accessToken as string
}

async function measure(backend: Backend) {
  const dataDir = temporaryFolder('bench')
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
  const product = await Product.start({ ...backend.settings, ...admin }, dataDir)
  const times: Record<string, number[]> = {}
  try {
    const measured = measuredRequests(await addApplication(product, await signIn(product)))
    let seeded = 0
    for (const size of SIZES) {
      console.error(`${backend.title}: ${size} users`)
      await backend.seed(product, seeded, size)
      await product.answers()
      const token = await signIn(product)
      const rounds = seeded === 0 ? WARM_UPS : 0
      for (let count = 0; count < rounds; count++) {
        for (const [, requests] of measured) await ask(product, requests(size), token)
      }
      seeded = size
      for (const [name, requests] of measured) {
        times[name] = [...(times[name] ?? []), await ask(product, requests(size), token)]
      }
    }
    return times
  } finally {
    await product.remove()
    await backend.stop()
  }
}

function table(title: string, times: Record<string, number[]>) {
  const heads = SIZES.map((size) => size.toLocaleString('en-GB'))
  const rows = Object.entries(times).map(([name, [first, ...others]]) => {
    const growth = others.map((time) => `${time.toFixed(1)} (${(time / first).toFixed(1)}×)`)
    return `| ${[name, first.toFixed(1), ...growth].join(' | ')} |`
  })
  const columns = ['---', ...SIZES.map(() => '---:')]
  return [`| ${title}, ms | ${heads.join(' | ')} |`, `| ${columns.join(' | ')} |`, ...rows].join(
    '\n'
  )
}

buildProduct()
mkdirSync(options.out, { recursive: true })
const machine = describeMachine()
const results: Record<string, Record<string, number[]>> = {}
const tables: string[] = []
for (const backend of [sqlite, await postgres()]) {
  const times = (results[backend.title] = await measure(backend))
  tables.push(table(backend.title, times))
  const growth = Object.entries(times).map(([name, series]) => [
    name,
    series.map((time) => Number((time / series[0]).toFixed(2))),
  ])
  const svg = plotGrowth(
    `${backend.title}: time of an answer, as a multiple of that at ${SIZES[0]} users`,
    SIZES,
    Object.fromEntries(growth)
  )
  writeFileSync(join(options.out, `users-${backend.title.toLowerCase()}.svg`), svg)
}
const text = tables.join('\n\n')
writeFileSync(join(options.out, 'users.md'), `${text}\n`)
writeFileSync(
  join(options.out, 'users.json'),
  `${JSON.stringify({ machine, sizes: SIZES, results }, null, 2)}\n`
)
console.log(text)
