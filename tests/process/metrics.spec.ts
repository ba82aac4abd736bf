import { request } from 'node:http'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { Product } from './product.ts'
import { Prometheus } from './prometheus.ts'

const PROXIES: { name: string; settings: Record<string, string> }[] = [
  { name: 'TRUSTED_PROXIES', settings: { TRUSTED_PROXIES: '10.0.0.0/8' } },
  { name: 'APP_URL', settings: { APP_URL: 'https://auth.example.org' } },
]

/** Returns the status of `/metrics` for a request with these headers. */
function metricsStatus(product: Product, headers: Record<string, string> = {}) {
  return new Promise<number>((resolve, reject) => {
    const sent = request(`${product.url}/metrics`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    sent.once('error', reject).end()
  })
}

test.group('Metrics without a token', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start()
  })
  group.teardown(() => product.remove())

  test('are for this machine, and for no proxy on it', async ({ assert }) => {
    assert.equal(await metricsStatus(product), 200)
    assert.equal(await metricsStatus(product, { host: 'auth.example.org' }), 401)
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
      assert.equal(await metricsStatus(product, { [name]: '127.0.0.1' }), 401, name)
    }
  })

  test('count requests from the first reading on', async ({ assert }) => {
    const read = async () => {
      const response = await fetch(`${product.url}/metrics`)
      return response.text()
    }
    assert.notInclude(await read(), 'route="/health/live"')
    await product.request('/health/live')
    const counted = '{method="GET",class="2xx",route="/health/live"} 1\n'
    await until(async () => {
      const text = await read()
      return text.includes(`gatehouse_http_requests_total${counted}`)
    })
  })

  test('no caller gets metrics if {name} implies a proxy')
    .with(PROXIES)
    .run(async ({ assert, cleanup }, { settings }) => {
      const behind = await Product.start(settings)
      cleanup(() => behind.remove())
      assert.equal(await metricsStatus(behind), 401)
    })
})

test.group('Metrics of two processes', (group) => {
  const METRICS_TOKEN = 'a-token-between-the-two'
  let products: Product[]
  let prometheus: Prometheus
  group.setup(async () => {
    products = await Promise.all([1, 2].map(() => Product.start({ METRICS_TOKEN })))
    prometheus = await Prometheus.start(
      products.map(({ url }) => url),
      METRICS_TOKEN
    )
  })
  group.teardown(async () => {
    await prometheus.remove()
    for (const product of products) await product.remove()
  })

  test('Prometheus adds up what both count', async ({ assert }) => {
    for (const product of products) await product.request('/planted/path')
    const others = 'sum(gatehouse_http_requests_total{route="other",class="4xx"})'
    await until(async () => (await prometheus.query(others)) === 2)
    assert.equal(await prometheus.query('sum(up)'), 2)
    assert.equal(await prometheus.query('count(gatehouse_build_info)'), 2)
  })

  test('they hold no e-mail, password or token', async ({ assert }) => {
    const [{ url }] = products
    const body = { email: 'planted@example.org', username: 'Planted', password: 'Planted-h0rse!' }
    const { body: registered } = await products[0].request('/auth/register', { body })
    await products[0].request(`/users/planted-id?token=planted`, { token: registered.accessToken })
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const response = await fetch(`${url}/metrics`, { headers })
    const text = await response.text()
    assert.include(text, 'route="/users/:id"')
    assert.notMatch(text, /planted/i)
    assert.isAtMost(text.split('\n').filter((line) => line && !line.startsWith('#')).length, 2_000)
  })
})
