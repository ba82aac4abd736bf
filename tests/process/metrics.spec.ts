import { request } from 'node:http'
import { test } from '@japa/runner'
import { Product } from './product.ts'

const PROXIES: { name: string; settings: Record<string, string> }[] = [
  { name: 'TRUSTED_PROXIES', settings: { TRUSTED_PROXIES: '10.0.0.0/8' } },
  { name: 'APP_URL', settings: { APP_URL: 'https://auth.example.org' } },
]

/** The status of `/metrics` for a request with these headers. */
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
  group.each.teardown(() => product.remove())

  test('are for this machine, and for no proxy on it', async ({ assert }) => {
    product = await Product.start()
    assert.equal(await metricsStatus(product), 200)
    assert.equal(await metricsStatus(product, { host: 'auth.example.org' }), 401)
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
      assert.equal(await metricsStatus(product, { [name]: '127.0.0.1' }), 401, name)
    }
  })

  test('no caller gets metrics if {name} implies a proxy')
    .with(PROXIES)
    .run(async ({ assert }, { settings }) => {
      product = await Product.start(settings)
      assert.equal(await metricsStatus(product), 401)
    })
})
