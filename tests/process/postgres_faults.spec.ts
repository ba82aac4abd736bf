import { test } from '@japa/runner'
import pg from 'pg'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { Backend, newcomer, profileAnswers, profileStatus, timedProfile } from './backend.ts'
import { Product } from './product.ts'

/** The longest time until an answer while Postgres is unavailable, and until service resumes. */
const ANSWER_MS = 3_000 + SCHEDULING_MS
const HEAL_MS = 5_000 + SCHEDULING_MS

const MAX_CONNECTIONS = 20
const OWN = `application_name = 'gatehouse'`

test.group('Postgres | outages', (group) => {
  let backend: Backend
  let product: Product
  group.setup(async () => {
    backend = await Backend.withPostgres({ max_connections: MAX_CONNECTIONS })
    product = await Product.start(backend.settings)
  })
  group.teardown(async () => {
    await product.remove()
    await backend.remove()
  })

  /** Sends several requests at the same time: none may wait for the time-out of another one. */
  async function answersDuringOutage(token: string) {
    return Promise.all(Array.from({ length: 15 }, () => timedProfile(product, token)))
  }

  function assertUnavailable(assert: any, answers: Awaited<ReturnType<typeof timedProfile>>[]) {
    for (const { status, retryAfter, tookMs } of answers) {
      assert.equal(status, 503)
      assert.isAtLeast(retryAfter, 1)
      assert.isBelow(tookMs, ANSWER_MS)
    }
  }

  test('answers 503 after a crash, then heals', async ({ assert }) => {
    const { token } = await newcomer(product)
    await backend.postgres.stop('SIGQUIT')
    const answers = await answersDuringOutage(token)
    const health = await product.request('/health/database')
    await backend.postgres.resume()
    assertUnavailable(assert, answers)
    assert.equal(health.status, 503)
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
  })

  test('answers 503 while Postgres is frozen, then heals', async ({ assert }) => {
    const { token } = await newcomer(product)
    const thaw = backend.postgres.freeze()
    const answers = await answersDuringOutage(token)
    thaw()
    assertUnavailable(assert, answers)
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
  })

  test('answers 503 while a table is locked, then heals', async ({ assert }) => {
    const { token } = await newcomer(product)
    const other = new pg.Client({ connectionString: backend.settings.DATABASE_URL })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
    const answers = await answersDuringOutage(token)
    await other.query('ROLLBACK')
    await other.end()
    assertUnavailable(assert, answers)
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
  })

  test('heals when every connection was terminated', async ({ assert }) => {
    const { token } = await newcomer(product)
    for (let round = 1; round <= 3; round++) {
      const load = Array.from({ length: 20 }, () => profileStatus(product, token))
      await backend.postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OWN}`
      )
      for (const status of await Promise.all(load)) assert.include([200, 503], status)
    }
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
  })

  /** Repeats until all connections are taken, because the product may take one first. */
  async function takeEveryConnection() {
    const hoarders: pg.Client[] = []
    const takeFree = async () => {
      for (;;) {
        const client = new pg.Client({ connectionString: backend.settings.DATABASE_URL })
        client.on('error', () => {})
        try {
          await client.connect()
        } catch {
          return
        }
        hoarders.push(client)
      }
    }
    while (hoarders.length < MAX_CONNECTIONS) {
      const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OWN}`
      await (hoarders[0] ?? backend.postgres).query(terminate)
      await takeFree()
    }
    return hoarders
  }

  test('answers 503 while there is no connection left, then heals', async ({ assert }) => {
    const { token } = await newcomer(product)
    const hoarders = await takeEveryConnection()
    const answers = await answersDuringOutage(token)
    await Promise.all(hoarders.map((client) => client.end()))
    assertUnavailable(assert, answers)
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
  })

  test('never refuses a token while Postgres restarts', async ({ assert }) => {
    const { token } = await newcomer(product)
    let isRestarting = true
    const seen = new Set<number>()
    const clients = Array.from({ length: 4 }, async () => {
      while (isRestarting) seen.add(await profileStatus(product, token))
    })
    await backend.postgres.stop('SIGINT')
    await backend.postgres.resume()
    assert.isBelow(await profileAnswers(product, token, 200), HEAL_MS)
    isRestarting = false
    await Promise.all(clients)
    assert.includeMembers([200, 503], [...seen])
  })
})
