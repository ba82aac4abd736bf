import pg from 'pg'
import { test } from '@japa/runner'
import { PgBouncer } from '#tests/servers/pgbouncer'
import { SCHEDULING_MS, until } from '#tests/support/waiting'
import { Backend, newcomer, profileStatus, signIn } from './backend.ts'
import { Product } from './product.ts'

/** A queue large enough for every hash of the tests, even on a slow machine. */
const QUEUES = { HASH_QUEUE_LIMIT: '100' }

/** Debian's PgBouncer does not support prepared statements. */
const PREPARING = '?prepared_statements=on'

test.group('PgBouncer | transaction mode', (group) => {
  let backend: Backend
  let pooler: PgBouncer
  let products: Product[] = []

  group.setup(async () => {
    backend = await Backend.withPostgres()
    pooler = await PgBouncer.start(backend.postgres)
  })
  group.teardown(async () => {
    await pooler.remove()
    await backend.remove()
  })
  group.each.teardown(async () => {
    for (const product of products) await product.remove()
    products = []
  })

  async function startTwo(parameters = '') {
    const pooled = {
      ...backend.settings,
      ...QUEUES,
      DATABASE_URL: pooler.url('gatehouse') + parameters,
    }
    products = await Promise.all([Product.spawn(pooled), Product.spawn(pooled)])
    await Promise.all(products.map((product) => product.answers('/health/ready')))
    return products
  }

  /** Repeats a registration or sign-in after a 503, which a lost statement may cause. */
  async function newcomerOf(product: Product) {
    for (;;) {
      const user = await newcomer(product).catch(() => null)
      if (user?.token) return user
    }
  }

  /** Signs in, changes and reads several users at the same time, on both processes. */
  async function useBoth([one, other]: Product[]) {
    const users = await Promise.all(Array.from({ length: 4 }, () => newcomer(one)))
    const statuses = users.map(async (user) => {
      const { token } = await signIn(other, user)
      const body = { username: 'grace' }
      const change = await one.request('/auth/profile', { method: 'PUT', body, token })
      return [change.status, await profileStatus(other, token)]
    })
    return Promise.all(statuses)
  }

  test('two processes that start at once migrate and serve', async ({ assert }) => {
    const statuses = await useBoth(await startTwo())
    assert.deepEqual([...new Set(statuses.flat())], [200])
  })

  test('a statement that waits for a lock is stopped by the server', async ({ assert }) => {
    const [product] = await startTwo()
    const user = await newcomer(product)
    const other = new pg.Client({ connectionString: backend.postgres.url('gatehouse') })
    await other.connect()
    try {
      await other.query('BEGIN')
      await other.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [user.id])
      const startedAt = performance.now()
      const request = { method: 'PUT', body: { username: 'grace' }, token: user.token }
      const { status } = await product.request('/auth/profile', request)
      assert.equal(status, 503)
      assert.isBelow(performance.now() - startedAt, 3_000 + SCHEDULING_MS)
      const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
      await until(async () => {
        const rows = await backend.query(waiting)
        return rows.length === 0
      })
    } finally {
      await other.end()
    }
    assert.equal(await profileStatus(product, user.token), 200)
  })

  test('statements that it does not keep are prepared no more', async ({ assert }) => {
    await startTwo(PREPARING)
    const user = await newcomerOf(products[0])
    const statuses: number[] = []
    const areAllGood = async () => {
      const tokens = Array.from({ length: 12 }, () => profileStatus(products[0], user.token))
      const round = await Promise.all(tokens)
      statuses.push(...round)
      return round.every((status) => status === 200)
    }
    await until(areAllGood)
    assert.notInclude(statuses, 500)
    const lines = products[0].output.join('').match(/a pooler keeps no prepared statements/g)
    assert.lengthOf(lines ?? [], 1)
  })
})
