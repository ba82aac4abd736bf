import { test } from '@japa/runner'
import settings from '#config/oidc'
import { createUser } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

const PATH = '/.well-known/webfinger'
const ISSUER = 'http://openid.net/specs/connect/1.0/issuer'

function find(client: ApiClient, resource: string, query = '') {
  return client.get(`${PATH}?resource=${encodeURIComponent(resource)}${query}`)
}

test.group('WebFinger', (group) => {
  group.each.setup(() => {
    settings.webfingerDomains = ['example.org', 'xn--bcher-kva.example']
    return () => void (settings.webfingerDomains = [])
  })

  test('an address of a listed domain has the issuer', async ({ client, assert }) => {
    const response = await find(client, 'acct:ada@example.org')
    response.assertStatus(200)
    assert.equal(response.header('content-type'), 'application/jrd+json')
    assert.equal(response.header('access-control-allow-origin'), '*')
    assert.deepEqual(JSON.parse(response.text()), {
      subject: 'acct:ada@example.org',
      links: [{ rel: ISSUER, href: settings.issuer }],
    })
  })

  test('an account changes no answer', async ({ client, assert }) => {
    const { email } = await createUser()
    const [known, unknown] = [
      await find(client, `acct:${email}`),
      await find(client, 'acct:x@example.org'),
    ]
    assert.equal(known.text().replace(email, ''), unknown.text().replace('x@example.org', ''))
    const volatile = ['x-request-id', 'date', 'content-length']
    const stable = ({ ...headers }: object) =>
      Object.entries(headers).filter(([name]) => !volatile.includes(name))
    assert.deepEqual(stable(known.headers()), stable(unknown.headers()))
  })

  test('a domain is compared in any spelling: {$self}')
    .with([
      'acct:ada@EXAMPLE.org',
      'ACCT:Ada@example.org',
      'acct:a%40b@example.org',
      'acct:ada@bücher.example',
    ])
    .run(async ({ client }, resource) => {
      const response = await find(client, resource)
      response.assertStatus(200)
    })

  test('another resource is not found: {$self}')
    .with([
      'acct:ada@example.com',
      'acct:ada@sub.example.org',
      'https://example.org/ada',
      'mailto:ada@example.org',
    ])
    .run(async ({ client, assert }, resource) => {
      const response = await find(client, resource)
      response.assertStatus(404)
      assert.equal(response.body().code, 'E_NOT_FOUND')
      assert.equal(response.header('access-control-allow-origin'), '*')
    })

  test('a missing or malformed resource is refused: {$self}')
    .with([
      '',
      '?resource=',
      '?resource=ada',
      '?resource=ada@example.org',
      '?resource=acct:ada',
      '?resource=acct:@example.org',
      '?resource=acct:a@b@example.org',
      '?resource=acct:a@example.org&resource=acct:b@example.org',
      '?resource[x]=acct:a@example.org',
    ])
    .run(async ({ client, assert }, query) => {
      const response = await client.get(PATH + query)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'resource')
      assert.equal(response.header('access-control-allow-origin'), '*')
    })

  test('rel filters the links', async ({ client, assert }) => {
    const other = encodeURIComponent('http://webfinger.net/rel/avatar')
    const issuer = encodeURIComponent(ISSUER)
    const countFor = async (query: string) => {
      const response = await find(client, 'acct:ada@example.org', query)
      response.assertStatus(200)
      return JSON.parse(response.text()).links.length
    }
    assert.equal(await countFor(`&rel=${issuer}`), 1)
    assert.equal(await countFor(`&rel=${other}&rel=${issuer}`), 1)
    assert.equal(await countFor(`&rel=${other}`), 0)
  })

  test('a page of any origin may ask', async ({ client, assert }) => {
    const asked = client.options(PATH).header('origin', 'https://app.example')
    const response = await asked.header('access-control-request-method', 'GET')
    response.assertStatus(204)
    assert.equal(response.header('access-control-allow-origin'), '*')
  })

  test('without a domain there is none', async ({ client }) => {
    settings.webfingerDomains = []
    for (const query of ['', '?resource=acct:ada@example.org']) {
      const response = await client.get(PATH + query)
      response.assertStatus(404)
    }
  })
})
