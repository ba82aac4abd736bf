import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { Backend, newcomer } from './backend.ts'
import { Product } from './product.ts'

/** Asks on one connection, and stops at `connection: close` as a load balancer does. */
async function keepAsking(url: string, token: string, statuses: number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let isWanted = true
  while (isWanted) {
    isWanted = await new Promise<boolean>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request(`${url}/auth/profile`, { agent, headers }, (response) => {
        statuses.push(response.statusCode!)
        response.resume()
        response.once('end', () => resolve(response.headers.connection !== 'close'))
      })
      sent.once('error', reject).end()
    })
  }
  agent.destroy()
}

test.group('Stop | under load', () => {
  test('answers every accepted request and exits 0')
    .with([{ signals: 1 }, { signals: 2 }])
    .run(async ({ assert }, { signals }) => {
      const backend = await Backend.withRedis()
      const product = await Product.start(backend.settings)
      try {
        const { token } = await newcomer(product)
        const statuses: number[] = []
        const clients = Array.from({ length: 12 }, () => keepAsking(product.url, token, statuses))
        await until(() => statuses.length >= 10 * clients.length)
        const startedAt = performance.now()
        const stopped = product.stop()
        for (let count = 1; count < signals; count++) product.child.kill('SIGTERM')
        await Promise.all(clients)
        assert.equal(await stopped, 0)
        assert.isBelow(performance.now() - startedAt, 10_000)
        assert.deepEqual([...new Set(statuses)], [200])
      } finally {
        await product.remove()
        await backend.remove()
      }
    })

  test('exits 0 on a signal while it starts', async ({ assert }) => {
    const backend = await Backend.withRedis()
    try {
      for (const delayMs of [300, 600, 900]) {
        const product = await Product.spawn(backend.settings)
        await wait(delayMs)
        const startedAt = performance.now()
        const code = await product.stop()
        assert.isBelow(performance.now() - startedAt, 10_000)
        // Only while Node still loads the first file does the signal itself end the process.
        assert.isTrue(code === 0 || (code === null && product.output.length === 0))
        await product.remove()
      }
    } finally {
      await backend.remove()
    }
  })
})
