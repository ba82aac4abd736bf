import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { timedProfile } from '../tests/process/backend.ts'
import { Product } from '../tests/process/product.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { percentile } from './statistics.ts'
import { round, table } from './table.ts'

/*
 | `npm run bench:group-deletion`: on SQLite, deletes a group by which 5,000 people have entered an
 | application. One caller asks for a profile in turn until the last session has ended.
 */

const { values: options } = parseArgs({
  options: { sessions: { type: 'string', default: '5000' } },
})

const COUNT = Number(options.sessions)
const POLL_MS = 100
const QUIET_MS = 5_000
const ADMIN = { email: 'admin@bench.example', password: 'Correct-h0rse!' }
const FAR = 4_102_444_800_000

/** Members with a session at the application, which is a grant. */
const SEED = (groupId: string, clientId: string) => {
  const id = `'01900000-0000-7000-8000-' || printf('%012x', n)`
  const numbers = `WITH RECURSIVE numbers (n) AS
    (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT - 1})`
  return `
    INSERT INTO users (id, email, username, role, created_at, updated_at, password_changed_at, group_ids)
      ${numbers} SELECT ${id}, 'person' || n || '@example.org', 'person ' || n, 'User',
        1700000000000, 1700000000000, 1700000000000, '${groupId}' FROM numbers;
    INSERT INTO group_members (user_id, group_id, added_at)
      ${numbers} SELECT ${id}, '${groupId}', 1700000000000 FROM numbers;
    INSERT INTO sessions (id, user_id, client_id, device_id, device_name, ip, refresh_hash, method, amr,
        authenticated_at, created_at, last_activity_at, expires_at)
      ${numbers} SELECT ${id}, ${id}, '${clientId}', 'default', 'Chrome on Windows', '192.0.2.1', 'none',
        'password', 'pwd', 1700000000000, 1700000000000, 1700000000000, ${FAR} FROM numbers;
    INSERT INTO oauth_records (kind, id_hash, payload, grant_id, client_id, user_id, expires_at)
      ${numbers} SELECT 'Grant', ${id}, '{}', ${id}, '${clientId}', ${id}, ${FAR} FROM numbers;`
}

async function add(product: Product, path: string, body: object, token: string) {
  const answer = await product.request(path, { body, token })
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Returns the times of the answers until `isOver` returns true. */
async function profilesUntil(product: Product, token: string, isOver: () => boolean) {
  const times: number[] = []
  while (!isOver()) {
    const { status, tookMs } = await timedProfile(product, token)
    if (status !== 200) throw new Error(`profile answered ${status}`)
    times.push(tookMs)
    await wait(2)
  }
  return times
}

function row(title: string, times: number[]) {
  const figures = [percentile(times, 50), percentile(times, 99), Math.max(...times)]
  const slow = times.filter((time) => time > 50).length
  return [title, String(times.length), ...figures.map((time) => round(time, 1)), String(slow)]
}

buildProduct()
const product = await Product.start({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
try {
  const { body } = await product.request('/auth/login', { body: ADMIN })
  const token = body.accessToken
  const group = await add(product, '/groups', { name: 'staff' }, token)
  const rule = { access: 'groups', allowedGroups: ['staff'] }
  const client = await add(
    product,
    '/oauth-clients',
    { name: 'Grafana', redirectUris: ['https://app.example/cb'], ...rule },
    token
  )
  const database = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'), { timeout: 10_000 })
  database.exec(SEED(group.id, client.clientId))
  /** The product may have closed idle connections during the insertion. */
  await wait(100)
  await product.answers()
  const count = (counted: string, column: string, value: string) =>
    database
      .prepare(`SELECT count(*) AS total FROM ${counted} WHERE ${column} = ?`)
      .pluck()
      .get(value)
  const quietUntil = performance.now() + QUIET_MS
  const quiet = await profilesUntil(product, token, () => performance.now() > quietUntil)
  const startedAt = performance.now()
  let isOver = false
  const meanwhile = profilesUntil(product, token, () => isOver)
  /** The error is thrown below: unhandled, it would end this process and leave its server. */
  meanwhile.catch(() => {})
  const deletion = await product.request(`/groups/${group.id}`, { method: 'DELETE', token })
  if (deletion.status !== 204) throw new Error(`The deletion: ${JSON.stringify(deletion.body)}`)
  while (count('sessions', 'client_id', client.clientId) !== 0) await wait(POLL_MS)
  const seconds = (performance.now() - startedAt) / 1_000
  while (count('group_members', 'group_id', group.id) !== 0) await wait(POLL_MS)
  isOver = true
  const head = ['profile', 'answers', 'p50 ms', 'p99 ms', 'longest ms', 'over 50 ms']
  const rows = [row('before', quiet), row('during the deletion', await meanwhile)]
  console.log(table(head, rows).join('\n'))
  console.log(`${COUNT} sessions ended in ${seconds.toFixed(1)} s`)
} finally {
  await product.remove()
}
