import { test } from '@japa/runner'
import { Certificate } from '#tests/servers/certificate'
import { RedisCluster } from '#tests/servers/redis_cluster'
import { Redis } from '#tests/servers/redis'
import { RedisSentinel } from '#tests/servers/redis_sentinel'
import { SCHEDULING_MS } from '#tests/support/waiting'
import {
  Backend,
  newcomer,
  patientProfileStatus,
  profileAnswers,
  profileStatus,
} from './backend.ts'
import { Product } from './product.ts'

test.group('Redis | cluster', (group) => {
  let backend: Backend
  let cluster: RedisCluster
  let product: Product
  group.setup(async () => {
    backend = await Backend.withPostgres()
    cluster = await RedisCluster.start()
    product = await Product.start({ ...backend.settings, ...cluster.settings })
  })
  group.teardown(async () => {
    await product.remove()
    await cluster.remove()
    await backend.remove()
  })

  test('spreads users over all of its servers', async ({ assert }) => {
    const users = []
    for (let count = 1; count <= 24; count++) users.push(await newcomer(product))
    const statuses = await Promise.all(users.map(({ token }) => profileStatus(product, token)))
    assert.isTrue(statuses.every((status) => status === 200))
    for (const node of cluster.nodes) assert.isAbove(Number(await node.command('DBSIZE')), 0)
    for (const { token } of users) {
      await product.request('/auth/logout-all', { method: 'POST', token })
      assert.equal(await profileStatus(product, token), 401)
    }
  })

  test('answers 503 while the slot of a user moves, then 200', async ({ assert }) => {
    const { id, token } = await newcomer(product)
    const move = await cluster.beginMove(id, (key) => !key.endsWith(':sessions'))
    const requests = ['/auth/profile', '/auth/sessions'].map((path) =>
      product.request(path, { token })
    )
    for (const { status, response } of await Promise.all(requests)) {
      assert.equal(status, 503)
      assert.isAtLeast(Number(response.headers.get('retry-after')), 1)
    }
    await move.finish()
    await profileAnswers(product, token, 200)
  })

  test('answers 200 after the servers forgot the scripts', async ({ assert }) => {
    const { token } = await newcomer(product)
    assert.equal(await profileStatus(product, token), 200)
    for (const node of cluster.nodes) await node.command('SCRIPT', 'FLUSH')
    const tokens = Array.from({ length: 10 }, () => token)
    const statuses = await Promise.all(tokens.map((each) => profileStatus(product, each)))
    assert.deepEqual([...new Set(statuses)], [200])
  })

  test('answers 503 while a server is frozen, then recovers', async ({ assert }) => {
    const users = []
    for (let count = 1; count <= 12; count++) users.push(await newcomer(product))
    const [, , last] = cluster.nodes
    last.signal('SIGSTOP')
    const startedAt = performance.now()
    const statuses = await Promise.all(users.map(({ token }) => profileStatus(product, token)))
    const tookMs = performance.now() - startedAt
    last.signal('SIGCONT')
    assert.includeMembers([200, 503], statuses)
    assert.include(statuses, 503)
    assert.isBelow(tookMs, 1_000 + SCHEDULING_MS)
    for (const { token } of users) {
      assert.isBelow(await profileAnswers(product, token, 200), 4_000 + SCHEDULING_MS)
    }
  })
})

test.group('Redis | failover', () => {
  test('answers 503 until a replica of the cluster leads', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    const cluster = await RedisCluster.start({ withReplicas: true })
    const product = await Product.start({ ...backend.settings, ...cluster.settings })
    try {
      const users: Awaited<ReturnType<typeof newcomer>>[] = []
      while (users.length < 12) users.push(await newcomer(product))
      const statuses = new Set<number>()
      const sendAll = async () => {
        const requests = users.map(({ refreshToken }) =>
          product.request('/auth/refresh', { body: { refreshToken } })
        )
        for (const { status } of await Promise.all(requests)) statuses.add(status)
      }
      let isLeading = false
      const takeover = cluster.failOver(0).then(() => (isLeading = true))
      while (!isLeading) await sendAll()
      await takeover
      assert.deepEqual([...statuses].toSorted(), [200, 503])
      for (const { token } of users) {
        assert.isBelow(await profileAnswers(product, token, 200), 10_000)
      }
    } finally {
      await product.remove()
      await cluster.remove()
      await backend.remove()
    }
  })

  test('refuses a session whose end the new master missed', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    const sentinel = await RedisSentinel.start()
    const settings = { ...backend.settings, ...sentinel.settings }
    let product = await Product.start(settings)
    try {
      const [kept, ended] = [await newcomer(product), await newcomer(product)]
      for (const { token } of [kept, ended]) await profileStatus(product, token)
      await sentinel.replicated()
      sentinel.replica.signal('SIGSTOP')
      await sentinel.master.command('CLIENT', 'KILL', 'TYPE', 'replica')
      const logout = await product.request('/auth/logout-all', {
        method: 'POST',
        token: ended.token,
      })
      assert.equal(logout.status, 200)
      await sentinel.master.stop('SIGKILL')
      sentinel.replica.signal('SIGCONT')
      await sentinel.waitForPromotion()
      await profileAnswers(product, kept.token, 200)
      const index = `gatehouse:{${ended.id}}:sessions`
      assert.equal(await sentinel.replica.command('EXISTS', index), 1)
      assert.equal(await profileStatus(product, ended.token), 401)
      // The new master has the id of the store, so that a start sees the same Redis.
      await product.stop()
      product = await Product.start(settings, product.dataDir)
      assert.equal(await patientProfileStatus(product, kept.token), 200)
    } finally {
      await product.remove()
      await sentinel.remove()
      await backend.remove()
    }
  })
})

test.group('Redis | TLS', (group) => {
  let certificate: Certificate
  group.setup(() => {
    certificate = new Certificate()
    return () => certificate.remove()
  })

  test('reaches a server of {name} by rediss://')
    .with([
      { name: 'its own', start: startServer },
      { name: 'a Sentinel group', start: () => RedisSentinel.start(certificate) },
    ])
    .run(async ({ assert }, { start }) => {
      const backend = await Backend.withPostgres()
      const redis = await start()
      const product = await Product.start({ ...backend.settings, ...redis.settings })
      try {
        const { token } = await newcomer(product)
        assert.equal(await profileStatus(product, token), 200)
        assert.notMatch(product.output.join(''), /Redis does not answer|DEP0123/)
      } finally {
        await product.remove()
        await redis.remove()
        await backend.remove()
      }
    })

  async function startServer() {
    const server = await Redis.start([], certificate)
    const trust = { NODE_EXTRA_CA_CERTS: certificate.file }
    const settings = { STORE: 'redis', REDIS_URL: server.url, ...trust }
    return { settings, remove: () => server.remove() }
  }

  test('does not trust a server that is not certified', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    const { settings, remove } = await startServer()
    const { REDIS_URL, STORE } = settings
    const product = await Product.start({ ...backend.settings, STORE, REDIS_URL })
    try {
      const { status } = await product.request('/health/redis')
      assert.equal(status, 503)
    } finally {
      await product.remove()
      await remove()
      await backend.remove()
    }
  })
})
