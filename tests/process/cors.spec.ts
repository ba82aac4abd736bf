import { test } from '@japa/runner'
import { ace } from './ace.ts'
import { Product } from './product.ts'

/** On the same site as the product, so that browsers send its cookies from this origin. */
const ORIGIN = 'http://app.localhost'

interface Listed {
  pattern: string
  methods: string[]
}

test.group('Cross-origin requests with cookies', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start({ AUTH_COOKIES: 'on', CORS_ORIGINS: ORIGIN })
  })
  group.teardown(() => product.remove())

  function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = { origin: ORIGIN, ...headers }
    return fetch(product.url + path, { method, headers: sent, redirect: 'manual' })
  }

  const allowedBy = ({ headers }: Response) => headers.get('access-control-allow-origin')

  /** Requests every page and asset, with a preflight, and returns what the origin may read. */
  async function readablePages(documented: Set<string>) {
    const listed = await ace(product.dataDir, ['list:routes', '--json'])
    const routes: Listed[] = listed.json().flatMap((domain: { routes: Listed[] }) => domain.routes)
    const pages = routes.filter(({ pattern }) => !documented.has(pattern) && pattern !== '/api/*')
    const readable = []
    for (const { pattern, methods } of pages) {
      const path = pattern.replaceAll(/:\w+/g, 'x').replace('*', 'x')
      for (const method of methods) {
        const wanted = { 'access-control-request-method': method }
        const answers = [await ask(path, {}, method), await ask(path, wanted, 'OPTIONS')]
        if (answers.some(allowedBy)) readable.push(`${method} ${pattern}`)
      }
    }
    return { pages, readable }
  }

  test('read the API, with its cookies', async ({ assert }) => {
    const response = await ask('/auth/profile')
    assert.equal(allowedBy(response), ORIGIN)
    assert.equal(response.headers.get('access-control-allow-credentials'), 'true')
  })

  test('read no page and no asset', async ({ assert }) => {
    const { body } = await product.request('/api-docs-json')
    const paths = Object.keys(body.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
    const { pages, readable } = await readablePages(new Set(paths))
    assert.isAbove(pages.length, 100)
    assert.deepEqual(readable, [])
  }).timeout(120_000)
})
