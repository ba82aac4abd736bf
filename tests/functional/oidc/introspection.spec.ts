import { test } from '@japa/runner'
import settings from '#config/oidc'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { bearer, createAdmin, decodeClaims, decodeHeader } from '#tests/fixtures'
import { application, browserOf, tokensOf, type Application } from '#tests/oidc'
import type { ApiClient } from '@japa/api-client'

const API = { resource: settings.issuer, scope: 'openid email' }
const OTHER = { resource: 'https://mcp.example.org', scope: 'openid email' }

async function signedInto(parameters: Record<string, string> = {}) {
  const user = await createAdmin()
  const app = await application({ kind: 'first_party' })
  const tokens = await tokensOf(app, await browserOf(user), parameters)
  return { user, app, token: tokens.access_token }
}

function introspect(
  client: ApiClient,
  { client: { clientId }, clientSecret }: Application,
  token: string
) {
  return client.post('/oauth/introspect').basicAuth(clientId, clientSecret!).form({ token })
}

test.group('OpenID provider | introspection', () => {
  test('a token {what} is active until its session ends')
    .with([
      { what: 'for userinfo', parameters: {} },
      { what: 'of the API', parameters: API },
      { what: 'for another service', parameters: OTHER },
    ])
    .run(async ({ client, assert }, { parameters }) => {
      const { user, app, token } = await signedInto(parameters)
      const active = await introspect(client, app, token)
      assert.containsSubset(active.body(), { active: true, sub: user.id })
      assert.equal(active.body().client_id, app.client.clientId)
      await endAllSessionsAs(user.id, SYSTEM)
      const ended = await introspect(client, app, token)
      assert.deepEqual(ended.body(), { active: false })
    })

  test('{who} gets 401 with a challenge')
    .with([{ who: 'a wrong secret' }, { who: 'a public client' }, { who: 'an unknown client' }])
    .run(async ({ client, assert }, { who }) => {
      const app = await application(
        who === 'a public client' ? { tokenEndpointAuthMethod: 'none' } : {}
      )
      const clientId = who === 'an unknown client' ? 'unknown' : app.client.clientId
      const response = await client
        .post('/oauth/introspect')
        .basicAuth(clientId, 'wrong')
        .form({ token: 'x' })
      response.assertStatus(401)
      assert.match(response.header('www-authenticate')!, /^Basic/)
      assert.equal(response.body().error, 'invalid_client')
    })

  test('the secret may be in the form', async ({ client, assert }) => {
    const { app, token } = await signedInto()
    const credentials = { client_id: app.client.clientId, client_secret: app.clientSecret }
    const response = await client.post('/oauth/introspect').form({ token, ...credentials })
    assert.isTrue(response.body().active)
  })
})

test.group('OpenID provider | access tokens of the API', () => {
  test('pass the profile by the same check', async ({ client, assert }) => {
    const { user, token } = await signedInto(API)
    assert.deepEqual(Object.keys(decodeHeader(token)).sort(), ['alg', 'kid', 'typ'])
    const profile = await client.get('/auth/profile').headers(bearer(token))
    assert.equal(profile.body().id, user.id)
    await endAllSessionsAs(user.id, SYSTEM)
    const refused = await client.get('/auth/profile').headers(bearer(token))
    refused.assertStatus(401)
  })

  test('do nothing beyond their scopes, even for administrators', async ({ client, assert }) => {
    const { token } = await signedInto(API)
    for (const path of ['/users', '/auth/sessions', '/auth/export', '/oauth-clients']) {
      const response = await client.get(path).headers(bearer(token))
      assert.equal(response.body().code, 'E_SCOPE', path)
    }
  })

  test('do what a registered scope allows', async ({ client }) => {
    const user = await createAdmin()
    const app = await application({ kind: 'first_party', scopes: ['openid', 'users:read'] })
    const parameters = { resource: settings.issuer, scope: 'openid users:read' }
    const tokens = await tokensOf(app, await browserOf(user), parameters)
    const users = await client.get('/users').headers(bearer(tokens.access_token))
    users.assertStatus(200)
  })

  test('a scope that was not registered is not granted', async ({ client, assert }) => {
    const { token } = await signedInto({ ...API, scope: 'openid users:read' })
    assert.equal(decodeClaims(token).scope, 'openid')
    const users = await client.get('/users').headers(bearer(token))
    users.assertStatus(403)
  })

  test('one for another service is no token of ours', async ({ client, assert }) => {
    const { token } = await signedInto(OTHER)
    assert.equal(decodeClaims(token).aud, OTHER.resource)
    const profile = await client.get('/auth/profile').headers(bearer(token))
    profile.assertStatus(401)
  })
})
