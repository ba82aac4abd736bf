import { test } from '@japa/runner'
import { decodeHeader } from '#tests/support/fixtures'
import { ace } from './ace.ts'
import { Backend } from './backend.ts'
import { newDataDir, Product } from './product.ts'

/* An RSA key takes a while to compute. Many requests need it at the same time; one key is made. */

const AT_ONCE = 20

test.group('Identity keys | two processes', (group) => {
  let backend: Backend
  let products: Product[]
  let credentials: Record<string, string>

  const settings = () => ({ ...backend.settings, APP_URL: 'http://localhost:3333' })

  /** Registers an application with an account of its own, which signs in without a browser. */
  async function registered() {
    const dataDir = newDataDir()
    const run = (args: string[]) => ace(dataDir, [...args, '--json'], { settings: settings() })
    const account = await run(['user:create', '--service', '--username=Robot'])
    const given = ['--name=Robot', '--grants=client_credentials', '--scopes=openid,profile']
    const created = await run(['client:create', ...given, `--service-account=${account.json().id}`])
    const { clientId, clientSecret } = created.json()
    return { client_id: clientId, client_secret: clientSecret }
  }

  group.setup(async () => {
    backend = await Backend.withPostgres()
    credentials = await registered()
    return () => backend.remove()
  })
  group.each.setup(async () => {
    await backend.query('DELETE FROM signing_keys')
    products = await Promise.all([1, 2].map(() => Product.start(settings())))
    return async () => {
      for (const product of products) await product.remove()
    }
  })

  async function keys() {
    const rows: any = await backend.query('SELECT purpose, kid FROM signing_keys')
    return rows as { purpose: string; kid: string }[]
  }

  const eachProduct = <T>(ask: (product: Product) => Promise<T>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(products[index % 2])))

  async function signIn({ url }: Product) {
    const request = { grant_type: 'client_credentials', resource: 'https://api.example.org' }
    const body = new URLSearchParams({ ...credentials, ...request })
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    const answer: any = await response.json()
    if (response.status !== 200) throw new Error(JSON.stringify(answer))
    return decodeHeader(answer.access_token)
  }

  test('twenty first sign-ins make one RSA key', async ({ assert }) => {
    const headers = await eachProduct(signIn)
    const [{ kid, purpose }, ...others] = await keys()
    assert.lengthOf(others, 0)
    assert.equal(purpose, 'id_rs256')
    assert.deepEqual(new Set(headers.map((header) => header.kid)), new Set([kid]))
    assert.deepEqual(new Set(headers.map((header) => header.alg)), new Set(['RS256']))
  })

  test('twenty first readings of the key set make one', async ({ assert }) => {
    const documents = await eachProduct((product) => product.ask('/.well-known/jwks.json'))
    assert.lengthOf(await keys(), 1)
    assert.lengthOf(new Set(documents.map(({ body }) => body.keys[0].kid)), 1)
  })
})
