import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { Product } from '../tests/process/product.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { describeMachine } from './machine.ts'
import { plotGrowth } from './plot.ts'
import { median } from './statistics.ts'

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

/** A user for each number, the same on both databases: `n` is the number in SQL. */
const USER_RECORD = (id: string) => `
  ${id}, 'person' || n || '@example.org', 'person ' || n, 'nick' || (n % 977),
  CASE WHEN n % 500 = 0 THEN 'Admin' ELSE 'User' END, 1700000000000 + n, 1700000000000 + n,
  1700000000000 + n, n % 5 = 0, CASE WHEN n % 10 = 0 THEN 1700000000000 + n END`

const COLUMNS =
  'id, email, username, nickname, role, created_at, updated_at, password_changed_at, mfa_enabled, last_login_at'
const UUID = `'01900000-0000-7000-8000-'`

/** A session for each of them. */
const SESSION = (id: string) => `
  ${id}, ${id}, 'default', 'Chrome on Windows', '192.0.2.1', 'none', 'password', 'pwd',
  1700000000000 + n, 1700000000000 + n, 1700000000000 + n, 4102444800000`

const SESSION_COLUMNS =
  'id, user_id, device_id, device_name, ip, refresh_hash, method, amr, authenticated_at, created_at, last_activity_at, expires_at'

const GROUPS = 10_000
const GROUP_UUID = `'01900000-0000-7000-9000-'`
const GROUP_COLUMNS = 'id, name, name_key, created_at, updated_at'
const GROUP = (id: string) => `${id}, 'team ' || n, 'team ' || n, 1700000000000, 1700000000000`
const MEMBER_COLUMNS = 'user_id, group_id, added_at'

/** Every tenth user is in the first group, and the first ten users are in the second one. */
const MEMBERS = [
  { group: 0, which: 'n % 10 = 0' },
  { group: 1, which: 'n < 10' },
]

const groupId = (number: number) =>
  `01900000-0000-7000-9000-${number.toString(16).padStart(12, '0')}`

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
    const id = `${UUID} || printf('%012x', n)`
    const numbers = `WITH RECURSIVE numbers (n) AS
      (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to - 1})`
    database.exec(`
      INSERT INTO users (${COLUMNS}) ${numbers} SELECT ${USER_RECORD(id)} FROM numbers;
      INSERT INTO sessions (${SESSION_COLUMNS}) ${numbers} SELECT ${SESSION(id)} FROM numbers;`)
    if (from === 0)
      database.exec(`
        INSERT INTO groups (${GROUP_COLUMNS}) WITH RECURSIVE numbers (n) AS
          (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${GROUPS - 1})
        SELECT ${GROUP(`${GROUP_UUID} || printf('%012x', n)`)} FROM numbers`)
    for (const { group, which } of MEMBERS)
      database.exec(`
        INSERT INTO group_members (${MEMBER_COLUMNS}) ${numbers}
        SELECT ${id}, '${groupId(group)}', 1700000000000 + n FROM numbers WHERE ${which}`)
    database.exec('ANALYZE')
    database.close()
  },
  stop: () => Promise.resolve(),
}

const NEW_GROUPS = `INSERT INTO groups (${GROUP_COLUMNS})
  SELECT ${GROUP(`(${GROUP_UUID} || lpad(to_hex(n), 12, '0'))::uuid`)}
  FROM generate_series(0, ${GROUPS - 1}) AS n`

async function postgres(): Promise<Backend> {
  const server = await Postgres.start()
  const name = 'bench_users'
  const keyrings = ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS']
  const secrets = keyrings.map((keyring) => [keyring, randomBytes(48).toString('base64url')])
  const DATABASE_URL = await server.createDatabase(name)
  const id = `(${UUID} || lpad(to_hex(n), 12, '0'))::uuid`
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
      if (from === 0) await server.query(NEW_GROUPS, name)
      for (const { group, which } of MEMBERS)
        await server.query(
          `INSERT INTO group_members (${MEMBER_COLUMNS})
           SELECT ${id}, '${groupId(group)}'::uuid, 1700000000000 + n ${numbers} WHERE ${which}`,
          name
        )
      await server.query('VACUUM ANALYZE users, sessions, groups, group_members', name)
    },
    stop: () => server.remove(),
  }
}

/** The id of the user half way, in the order of their creation. */
function halfwayId(size: number) {
  const half = Math.floor(size / 2)
  return `01900000-0000-7000-8000-${half.toString(16).padStart(12, '0')}`
}

/** The cursor in the middle of a list of that many users. */
function halfwayCursor(size: number) {
  const createdAt = 1_700_000_000_000 + Math.floor(size / 2)
  const cursor = JSON.stringify(['createdAt', createdAt, halfwayId(size)])
  return Buffer.from(cursor).toString('base64url')
}

/** The point in time after which that many of the users were created. */
function momentBefore(size: number, users: number) {
  return new Date(1_700_000_000_000 + size - users).toISOString()
}

const QUERIES: Record<string, (size: number) => string> = {
  'first page': () => '/users',
  'first page, by e-mail': () => '/users?sort=email',
  'first page, version 2': () => '/api/v2/users',
  'page half way, version 2': (size) => `/api/v2/users?cursor=${halfwayCursor(size)}`,
  'administrators': () => '/users?role=Admin',
  'active': () => '/users?status=active',
  'locked': () => '/users?status=locked',
  'with MFA': () => '/users?mfa=yes',
  'created since, 1,000': (size) => `/users?createdFrom=${momentBefore(size, 1_000)}`,
  'active since, 100': (size) => `/users?lastLoginFrom=${momentBefore(size, 1_000)}`,
  'active since, 100, latest first': (size) =>
    `/users?lastLoginFrom=${momentBefore(size, 1_000)}&sort=-lastLoginAt`,
  'search, one match': (size) => `/users?search=person${size - 1}%40`,
  'search, every match': () => '/users?search=example.org',
  'search, no match': () => '/users?search=nobody',
  'search, two letters': () => '/users?search=ck',
  'sessions of one user': (size) => `/users/${halfwayId(size)}/sessions`,
  'groups, first page': () => '/groups?limit=100',
  'groups, search': () => '/groups?search=team%2077',
  'members of a group of a tenth, half way': (size) =>
    `/groups/${groupId(0)}/members?cursor=${halfwayId(size)}`,
  'users of a group of a tenth': () => '/users?group=team%200',
  'users of a group of ten': () => '/users?group=team%201',
  'users of a group of ten, version 2': () => '/api/v2/users?group=team%201&sort=email',
  'search, version 2': (size) => `/api/v2/users?search=person${size - 1}%40`,
}

/** The median of what an answer takes, in milliseconds. */
async function ask(product: Product, path: string, token: string) {
  const times: number[] = []
  for (let count = 0; count <= REPEATS; count++) {
    const startedAt = performance.now()
    const { status } = await product.request(path, { token })
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    if (count > 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** Otherwise the first size would include the compilation on both sides. */
async function warmUp(product: Product, size: number, token: string) {
  for (let count = 0; count < 10; count++) {
    for (const path of Object.values(QUERIES)) await ask(product, path(size), token)
  }
}

async function measure(backend: Backend) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
  const product = await Product.start({ ...backend.settings, ...admin }, dataDir)
  const times: Record<string, number[]> = {}
  try {
    const { body } = await product.request('/auth/login', { body: ADMIN })
    let seeded = 0
    for (const size of SIZES) {
      console.error(`${backend.title}: ${size} users`)
      await backend.seed(product, seeded, size)
      await product.answers()
      seeded = size
      if (size === SIZES[0]) await warmUp(product, size, body.accessToken)
      for (const [name, path] of Object.entries(QUERIES)) {
        times[name] = [...(times[name] ?? []), await ask(product, path(size), body.accessToken)]
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
