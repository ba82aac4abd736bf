import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Backend } from '#tests/process/backend'
import { newDataDir, Product } from '#tests/process/product'
import { until } from '#tests/waiting'
import { ace } from '#tests/process/ace'
import { buildProduct } from './build.ts'
import { SoakClient } from './client.ts'
import { lostEvents, tracesInFiles, tracesInOutput, tracesOf } from './trail.ts'
import type { AcknowledgedUser, Acknowledged } from './acknowledged.ts'

/*
 | `npm run soak -- --seconds=600`: two processes, Postgres and Redis under a bounded load,
 | each of them killed or frozen at random. At the end every acknowledged write must be
 | there, and nothing that was acknowledged as ended may be accepted. Each acknowledged
 | change has its event, sealed, and erased people are in no row and no file.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '4' },
  },
})

const SETTINGS = { ACCESS_TOKEN_TTL: '24h', HASH_QUEUE_LIMIT: '64', LOCKOUT_THRESHOLD: '100' }

buildProduct()
const backend = await Backend.withRedis(['--appendonly', 'yes'])
const settings = { ...backend.settings, ...SETTINGS, LOG_LEVEL: 'error' }
const started: Product[] = []
/** One folder for all processes of a machine: whichever deletes somebody removes the files of the others. */
const dataDir = newDataDir()
const products = [await startProduct(), await startProduct()]
const acknowledged: Acknowledged = { users: [], statuses: new Map(), kills: [], broken: [] }
const endsAt = performance.now() + Number(values.seconds) * 1_000

const faults: Record<string, () => Promise<unknown>> = {
  async 'app killed'() {
    const index = randomInt(products.length)
    await products[index].stop('SIGKILL')
    products[index] = await startProduct()
  },
  async 'app stopped'() {
    const index = randomInt(products.length)
    await products[index].stop('SIGTERM')
    products[index] = await startProduct()
  },
  async 'redis killed'() {
    await backend.redis!.stop('SIGKILL')
    await wait(randomInt(500))
    await backend.redis!.resume()
  },
  async 'redis frozen'() {
    backend.redis!.signal('SIGSTOP')
    await wait(700)
    backend.redis!.signal('SIGCONT')
  },
  async 'postgres crashed'() {
    await backend.postgres.stop('SIGQUIT')
    await wait(randomInt(500))
    await backend.postgres.resume()
  },
}

async function startProduct() {
  const product = await Product.start(settings, dataDir)
  started.push(product)
  return product
}

async function breakThings() {
  while (performance.now() < endsAt - 2_000) {
    await wait(500 + randomInt(2_000))
    const name = Object.keys(faults)[randomInt(Object.keys(faults).length)]
    await faults[name]()
    acknowledged.kills.push(name)
  }
}

async function useProduct() {
  const client = new SoakClient(products, acknowledged)
  while (performance.now() < endsAt) await client.step()
}

/** Repeats a request until its response is not 503. */
async function ask(path: string, options: Parameters<Product['request']>[1]) {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const answer = await products[0].request(path, options).catch(() => null)
    if (answer && answer.status !== 503) return answer
    await wait(200)
  }
  throw new Error(`${path} did not answer`)
}

async function faultsOf(user: AcknowledgedUser) {
  const found: string[] = []
  const attempts = []
  for (const password of user.passwords) {
    attempts.push(await ask('/auth/login', { body: { email: user.email, password } }))
  }
  const login = attempts.find(({ status }) => status === 200)
  if (!login) found.push('the account or its password was lost')
  else if (!user.usernames.includes(login.body.user.username)) {
    const { username } = login.body.user
    found.push(`the name is ${username}, acknowledged was ${user.usernames.join(' or ')}`)
  }
  for (const { token, refreshToken } of user.ended) {
    const profile = await ask('/auth/profile', { token })
    const refresh = await ask('/auth/refresh', { body: { refreshToken } })
    if (profile.status !== 401) found.push(`an ended session answers ${profile.status}`)
    if (refresh.status !== 401) found.push(`an ended refresh token answers ${refresh.status}`)
  }
  for (const token of user.revoked) {
    const { status } = await ask('/auth/profile', { token })
    if (status !== 401) found.push(`a revoked token answers ${status}`)
  }
  return found
}

await Promise.all([breakThings(), ...Array.from({ length: Number(values.clients) }, useProduct)])
await Promise.all(products.map((product) => product.answers('/health/ready')))

/** Whoever was deleted, or perhaps, has no account to look at. */
const present = acknowledged.users.filter(({ deletion }) => deletion === 'none')
const violations: string[] = []
for (const user of present) violations.push(...(await faultsOf(user)))
await until(async () => (await unsealed()) === 0)
const verdict = await ace(dataDir, ['audit:verify'], { settings: backend.settings })
if (verdict.code !== 0) violations.push(`audit:verify: ${verdict.stderr}`)
violations.push(...(await lostEvents(backend, acknowledged.users)))
violations.push(...(await tracesOf(backend, acknowledged.users)))
violations.push(...tracesInFiles([dataDir, backend.redis!.folder], acknowledged.users))
const printed = started.flatMap((product) => product.output).join('')
violations.push(...tracesInOutput(printed, acknowledged.users))
for (const requestId of acknowledged.broken) violations.push(`answered 500: ${logOf(requestId)}`)

const sum = (count: (user: AcknowledgedUser) => number) =>
  acknowledged.users.reduce((total, user) => total + count(user), 0)
console.log(
  JSON.stringify(
    {
      seconds: Number(values.seconds),
      faults: countByName(acknowledged.kills),
      answers: Object.fromEntries(acknowledged.statuses),
      users: acknowledged.users.length,
      erasedUsers: acknowledged.users.length - present.length,
      endedSessions: sum(({ ended }) => ended.length),
      revokedTokens: sum(({ revoked }) => revoked.length),
      violations,
    },
    null,
    2
  )
)

async function unsealed() {
  const rows = await backend.query('SELECT id FROM audit_events WHERE sequence IS NULL')
  return rows.length
}

/** The stack that a process logged for a request. */
function logOf(requestId: string) {
  const lines = started.flatMap(({ output }) => output.join('').split('\n'))
  const line = lines.find((each) => each.includes(requestId))
  return line ? JSON.parse(line).err.stack : requestId
}

function countByName(names: string[]) {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

for (const product of products) await product.remove()
await backend.remove()
/** A run without faults or ended sessions proves nothing. */
const isVacuous = sum(({ ended }) => ended.length) === 0 || acknowledged.kills.length === 0
process.exit(violations.length > 0 || isVacuous ? 1 : 0)
