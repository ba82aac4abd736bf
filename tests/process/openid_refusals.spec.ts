import { test } from '@japa/runner'
import limits from '#config/limits'
import { throughProxy } from '#tests/support/oidc'
import { until } from '#tests/support/waiting'
import { ADMIN, APP_URL, BACKENDS, register, startTwo, useProxy } from './application.ts'
import { signIn, type Backend } from './backend.ts'
import type { Product } from './product.ts'

/* Two processes count and list the refusals of an application together. */

const { limit } = limits.clientSecret

interface Credentials {
  clientId: string
  clientSecret: string
}

async function statusWith({ clientId, clientSecret }: Credentials) {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  const body = new URLSearchParams({ token: 'any' })
  const asked = { method: 'POST', headers, body }
  const response = await throughProxy(`${APP_URL}/oauth/introspect`, asked)
  return response.status
}

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Two processes | refusals on ${name}`, (group) => {
    let backend: Backend | null
    let products: Product[]
    let adminToken: string
    let restore: () => void

    group.setup(async () => {
      backend = await start()
      products = await startTwo(backend)
      let turn = 0
      restore = useProxy(() => products[turn++ % 2].url)
      const { token } = await signIn(products[0], ADMIN)
      adminToken = token
    })
    group.teardown(async () => {
      restore()
      for (const product of products) await product.remove()
      await backend?.remove()
    })

    test('wrong secrets count together', async ({ assert }) => {
      const { clientId, clientSecret } = await register(products[0], adminToken)
      const statuses: number[] = []
      for (let count = 0; count < limit + 2; count++) {
        statuses.push(await statusWith({ clientId, clientSecret: 'wrong' }))
      }
      const right = { clientId, clientSecret }
      statuses.push(await statusWith(right), await statusWith(right))
      const wrong = Array.from({ length: limit }, () => 401)
      assert.deepEqual(statuses, [...wrong, 429, 429, 429, 429])
    })

    test('of wrong secrets at once no more are compared', async ({ assert }) => {
      const { clientId } = await register(products[0], adminToken)
      const guesses = Array.from({ length: 2 * limit }, (_, number) =>
        statusWith({ clientId, clientSecret: `wrong ${number}` })
      )
      const statuses = await Promise.all(guesses)
      const compared = statuses.filter((status) => status !== 429)
      assert.isAtMost(compared.length, limit)
    })

    test('requests to both are one line', async ({ assert }) => {
      const { clientId } = await register(products[0], adminToken)
      const redirect = { redirect_uri: 'https://elsewhere.example.org/' }
      const asked = { client_id: clientId, response_type: 'code', scope: 'openid', ...redirect }
      const url = `${APP_URL}/oauth/authorize?${new URLSearchParams(asked)}`
      for (let count = 0; count < 6; count++) await throughProxy(url)
      const found = await products[1].ask(`/oauth-clients?search=${clientId}`, {
        token: adminToken,
      })
      const path = `/oauth-clients/${found.body[0].id}/refusals`
      const lines = await until(async () => {
        const { body } = await products[1].ask(path, { token: adminToken })
        return body[0]?.count === 6 ? body : null
      })
      assert.lengthOf(lines, 1)
      assert.equal(lines[0].reason, 'redirect_uri')
    })
  })
}
