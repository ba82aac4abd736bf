import { test } from '@japa/runner'
import { bearer, createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import type { ApiClient } from '@japa/api-client'

const ORIGIN = 'https://app.example.org'

/* What programs get from the endpoints that no person is sent to. */

test.group('OpenID provider | errors for programs', () => {
  function ask(client: ApiClient, path: string, given: object) {
    return client.post(path).header('accept', 'text/html, */*').form(given)
  }

  test('{path} answers with JSON, even to a client that accepts pages')
    .with([
      { path: '/oauth/token' },
      { path: '/oauth/revoke' },
      { path: '/oauth/par' },
      { path: '/oauth/device/authorization' },
    ])
    .run(async ({ client, assert }, { path }) => {
      const response = await ask(client, path, { client_id: 'unknown' })
      response.assertStatus(401)
      assert.equal(response.body().error, 'invalid_client')
      assert.equal(response.header('cache-control'), 'no-store')
    })

  test('{path} refuses a grant that was not registered')
    .with([{ path: '/oauth/token' }, { path: '/oauth/device/authorization' }])
    .run(async ({ client }, { path }) => {
      const { client: registered } = await application({ tokenEndpointAuthMethod: 'none' })
      const given = { client_id: registered.clientId, grant_type: 'client_credentials' }
      const response = await ask(client, path, given)
      response.assertStatus(400)
      response.assertBodyContains({ error: 'unauthorized_client' })
    })

  test('{method} {path} is not allowed')
    .with([
      { method: 'GET', path: '/oauth/token' },
      { method: 'GET', path: '/oauth/par' },
      { method: 'PUT', path: '/oauth/userinfo' },
      { method: 'POST', path: '/.well-known/openid-configuration' },
    ])
    .run(async ({ client }, { method, path }) => {
      const response = await client.request(path, method)
      response.assertStatus(405)
      response.assertBodyContains({ code: 'E_METHOD_NOT_ALLOWED' })
    })
})

test.group('OpenID provider | userinfo for web pages', () => {
  test('a page of {whose} client is answered: {isAnswered}')
    .with([
      { whose: 'a public', method: 'none', isAnswered: true },
      { whose: 'a confidential', method: 'client_secret_basic', isAnswered: false },
    ] as const)
    .run(async ({ client, assert }, { method, isAnswered }) => {
      const app = await application({ kind: 'first_party', tokenEndpointAuthMethod: method })
      const tokens = await tokensOf(app, await browserOf(await createUser()))
      const headers = { ...bearer(tokens.access_token), origin: ORIGIN }
      const response = await client.get('/oauth/userinfo').headers(headers)
      response.assertStatus(isAnswered ? 200 : 400)
      const allowed = response.header('access-control-allow-origin')
      assert.equal(allowed, isAnswered ? ORIGIN : undefined)
    })
})
