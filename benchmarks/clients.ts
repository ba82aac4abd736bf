import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { newDataDir, Product, root } from '../tests/process/product.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { describeMachine, residentMemory } from './machine.ts'
import { send } from './send.ts'
import { table } from './table.ts'

/*
 | `npm run bench:clients`: memory of the product on SQLite with 100,000 registered applications,
 | after 30,000 authorization requests of one of them, and of as many of them in turn.
 */

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '30000' },
  },
})

const [CLIENTS, REQUESTS] = [Number(options.clients), Number(options.requests)]
const AT_ONCE = 16
/** Within this time, V8 returns the memory of earlier work. */
const SETTLED_MS = 45_000
const ADMIN = { email: 'admin@bench.example', password: 'Correct-h0rse!' }
const REDIRECT_URI = 'https://app.example/cb'

/** Each request comes from a different address, so that no limit counts it. */
const SETTINGS = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  TRUSTED_PROXIES: '127.0.0.1',
}

const clientIdOf = (number: number) => `bench${String(number).padStart(6, '0')}`

/** As `npm start` runs it. */
const COMMAND = { program: [process.execPath, '--max-semi-space-size=4'], folder: root }

/** Copies an application that the product registered itself. */
async function register(product: Product) {
  const { accessToken } = await send(product, '/auth/login', { body: ADMIN })
  const body = { name: 'Bench', redirectUris: [REDIRECT_URI] }
  const { clientId } = await send(product, '/oauth-clients', { body, token: accessToken })
  const database = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'), { timeout: 20_000 })
  const names = (database.pragma('table_info(oauth_clients)') as { name: string }[]).map(
    ({ name }) => name
  )
  const made: Record<string, string> = {
    id: `printf('%08x-0000-4000-8000-%012x', n, n)`,
    client_id: `printf('bench%06d', n)`,
  }
  const values = names.map((name) => made[name] ?? name)
  database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO oauth_clients (${names}) SELECT ${values} FROM numbers,
         (SELECT * FROM oauth_clients WHERE client_id = ?)`
    )
    .run(CLIENTS, clientId)
  database.close()
}

function requestOf(number: number, clientId: string) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const address = `198.18.${(number >> 8) & 255}.${number & 255}`
  return { path: `/oauth/authorize?${query}`, headers: { 'x-forwarded-for': address } }
}

/** The answer to each request is that the user has to sign in. */
async function askAll(product: Product, used: number) {
  let sent = 0
  const askInTurn = async () => {
    while (sent < REQUESTS) {
      const number = sent++
      const { path, headers } = requestOf(number, clientIdOf((number % used) + 1))
      const response = await fetch(product.url + path, { headers, redirect: 'manual' })
      await response.arrayBuffer()
      const location = response.headers.get('location') ?? ''
      if (!location.includes('error=login_required'))
        throw new Error(`${path} answered ${response.status} ${location}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn))
}

async function measure(used: number) {
  const product = await Product.start(SETTINGS, newDataDir(), COMMAND)
  const settled = async () => {
    await wait(SETTLED_MS)
    return String(residentMemory(product.child.pid!))
  }
  try {
    const idle = await settled()
    await register(product)
    const registered = await settled()
    await askAll(product, used)
    return [used.toLocaleString('en'), idle, registered, await settled()]
  } finally {
    await product.remove()
  }
}

buildProduct()
const head = ['applications that ask', 'idle, MB', `${CLIENTS} registered`, `${REQUESTS} requests`]
const rows = [await measure(1), await measure(Math.min(CLIENTS, REQUESTS))]
console.log(JSON.stringify(describeMachine()))
console.log(table(head, rows).join('\n'))
