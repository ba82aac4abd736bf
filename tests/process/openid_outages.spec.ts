import { renameSync } from 'node:fs'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { useProxy, WITH_ADMIN } from './application.ts'
import { Backend } from './backend.ts'
import { signInToApplication, TRAFFIC, TrafficLine, type Access } from './openid_traffic.ts'
import { Product } from './product.ts'

const KINDS = Object.keys(TRAFFIC)

/** Several requests of each kind run concurrently, which shows what a single one can hide. */
const LINES = 3

/** The kinds of requests that need the store, which is unavailable. */
const ASK_THE_STORE = ['refresh', 'userinfo', 'introspection']

test.group('OpenID provider | outages', (group) => {
  let backend: Backend | null
  let product: Product
  let restore: () => void
  let access: Access
  let lines: TrafficLine[]

  async function start(withServers: () => Promise<Backend | null>) {
    backend = await withServers()
    product = await Product.start({ ...backend?.settings, ...WITH_ADMIN })
    restore = useProxy(() => product.url)
    access = await signInToApplication(product)
    lines = KINDS.flatMap((kind) =>
      Array.from({ length: LINES }, () => new TrafficLine(() => product, kind, access))
    )
  }

  group.each.timeout(240_000)
  group.each.teardown(async () => {
    restore()
    await product.remove()
    await backend?.remove()
  })

  function sendAll() {
    return Promise.all(lines.map((line) => line.send()))
  }

  /** Waits until all requests are answered as before. Until then, 503 is the only other answer. */
  async function heals() {
    await until(async () => {
      const statuses = await sendAll()
      return statuses.every((status) => status !== 503)
    })
    for (const line of lines) line.close()
    return lines.flatMap(({ violations }) => violations)
  }

  test('Redis away: each request is answered 503 for as long as it takes', async ({ assert }) => {
    await start(() => Backend.withRedis(['--appendonly', 'yes']))
    await sendAll()
    await backend!.redis!.stop('SIGKILL')
    for (let round = 1; round <= 10; round++) await sendAll()
    const away = lines.filter(({ kind }) => ASK_THE_STORE.includes(kind))
    for (const { statuses, kind } of away) assert.notInclude(statuses.slice(1), 200, kind)
    await backend!.redis!.resume()
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })

  test('Redis killed and started: each request has one answer', async ({ assert }) => {
    await start(() => Backend.withRedis(['--appendonly', 'yes']))
    for (let round = 1; round <= 5; round++) {
      const answers = sendAll()
      await backend!.redis!.stop('SIGKILL')
      await answers
      await sendAll()
      await backend!.redis!.resume()
    }
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })

  test('Postgres connections terminated: each request has one answer', async ({ assert }) => {
    await start(() => Backend.withPostgres())
    const own = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE application_name = 'gatehouse'`
    for (let round = 1; round <= 30; round++) {
      const answers = sendAll()
      await backend!.postgres.query(own)
      await answers
    }
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })

  test('Postgres away: each request is answered 503', async ({ assert }) => {
    await start(() => Backend.withPostgres())
    await sendAll()
    await backend!.postgres.stop('SIGQUIT')
    for (let round = 1; round <= 3; round++) await sendAll()
    for (let round = 1; round <= 5; round++) await sendAll()
    for (const { statuses, kind } of lines) assert.notInclude(statuses.slice(1), 200, kind)
    await backend!.postgres.resume()
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })
  test('full disk: each request has one answer', async ({ assert }) => {
    await start(async () => null)
    await sendAll()
    product.limitFiles(1)
    for (let round = 1; round <= 5; round++) await sendAll()
    product.limitFiles(null)
    const writing = lines.filter(({ kind }) => kind === 'device')
    for (const { statuses } of writing) assert.notInclude(statuses.slice(1, 6), 200)
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })

  test('data folder gone: each request has one answer', async ({ assert }) => {
    await start(async () => null)
    await sendAll()
    renameSync(product.dataDir, `${product.dataDir}-away`)
    for (let round = 1; round <= 5; round++) await sendAll()
    renameSync(`${product.dataDir}-away`, product.dataDir)
    const violations = await heals()
    assert.deepEqual([violations, product.hasEnded], [[], false])
  })
})
