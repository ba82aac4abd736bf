import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { updateClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { bearer, createUser, decodeClaims } from '#tests/support/fixtures'
import { allow } from '#tests/support/client_documents'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import { post } from './attacker.ts'
import { outcomeOf } from './waiting_browser.ts'

const OTHER = 'https://mcp.example.org'

test.group('client_credentials | scopes', () => {
  const SCOPES = ['openid', 'users:read', 'sessions:read'] as const

  async function ask(parameters: Record<string, string>, kept: readonly string[] = SCOPES) {
    const { id } = await addServiceAccount({ username: 'Reports', role: 'Admin' }, SYSTEM)
    const { client, clientSecret } = await application({
      grantTypes: ['client_credentials'],
      redirectUris: [],
      scopes: [...kept] as any,
      serviceAccountId: id,
    })
    const credentials = { client_id: client.clientId, client_secret: clientSecret! }
    return post('/oauth/token', { grant_type: 'client_credentials', ...credentials, ...parameters })
  }

  test('{what} gives {scope}')
    .with([
      { what: 'no scope', asked: {}, scope: SCOPES.join(' ') },
      { what: 'one scope', asked: { scope: 'users:read' }, scope: 'users:read' },
      {
        what: 'a scope beside one that the client lacks',
        asked: { scope: 'users:read audit:read' },
        scope: 'users:read',
      },
      { what: 'no scope for another service', asked: { resource: OTHER }, scope: 'openid' },
    ])
    .run(async ({ assert }, { asked, scope }) => {
      const { status, body } = await ask(asked as Record<string, string>)
      assert.equal(status, 200)
      assert.equal(body.scope, scope)
      assert.equal(decodeClaims(body.access_token).scope, scope)
    })

  test('{what} is refused')
    .with([
      { what: 'a scope that the client lacks', asked: { scope: 'audit:read' } },
      { what: 'a scope that there is not', asked: { scope: 'everything' } },
      { what: 'a refresh token', asked: { scope: 'offline_access' } },
      {
        what: 'a scope of the API for another service',
        asked: { scope: 'users:read', resource: OTHER },
      },
    ])
    .run(async ({ assert }, { asked }) => {
      const { status, body } = await ask(asked as Record<string, string>)
      assert.deepEqual([status, body.error], [400, 'invalid_scope'])
      assert.notProperty(body, 'access_token')
    })

  test('the token of no scope opens what the client may open', async ({ client }) => {
    const { body } = await ask({})
    const users = await client.get('/users').headers(bearer(body.access_token))
    users.assertStatus(200)
  })
})

test.group('OpenID provider | a session that gets more', () => {
  async function recordedOf(userId: string) {
    const events = await recordsWhere({ target_id: userId, action: 'application.authorized' })
    return events.map(({ details }) => details as { sessionId: string; scopes: string[] })
  }

  const ADDRESS = JSON.stringify({ userinfo: { email: null } })

  test('{what} is recorded once: {added}')
    .with([
      { what: 'a scope', name: 'scope', value: 'openid email', added: ['email'] },
      { what: 'a service', name: 'resource', value: OTHER, added: ['openid'] },
      { what: 'a claim', name: 'claims', value: ADDRESS, added: ['email'] },
    ])
    .run(async ({ assert }, { what, name, value, added }) => {
      const [user, app] = [await createUser(), await application({ kind: 'first_party' })]
      const browser = await browserOf(user)
      const parameters = { scope: 'openid', [name]: value }
      for (const asked of [{ scope: 'openid' }, parameters, parameters])
        await tokensOf(app, browser, asked)
      const [first, second, ...others] = await recordedOf(user.id)
      assert.deepEqual([first.scopes, second.scopes, others], [['openid'], added, []], what)
      assert.equal(second.sessionId, first.sessionId)
    })

  test('a session that starts with claims is recorded with their scopes', async ({ assert }) => {
    const [user, app] = [await createUser(), await application({ kind: 'first_party' })]
    const claims = JSON.stringify({ userinfo: { email: null }, id_token: { email: null } })
    const browser = await browserOf(user)
    const ask = (parameters: object) => tokensOf(app, browser, { scope: 'openid', ...parameters })
    await ask({ claims })
    await ask({ claims: JSON.stringify({ userinfo: { email_verified: null } }) })
    const recorded = await recordedOf(user.id)
    assert.deepEqual(
      recorded.map(({ scopes }) => scopes),
      [['openid', 'email']]
    )
  })
})

test.group('OpenID provider | a scope that the client loses', () => {
  const SCOPE = 'openid email profile offline_access'

  async function signedIn(parameters: Record<string, string> = {}) {
    const user = await createUser()
    const app = await application({ kind: 'first_party' })
    const tokens = await tokensOf(app, await browserOf(user), { scope: SCOPE, ...parameters })
    return { user, app, tokens }
  }

  const loseEmail = (id: string) =>
    updateClient(id, { scopes: ['openid', 'profile', 'offline_access'] }, SYSTEM)

  test('leaves userinfo, the refresh and its ID token', async ({ assert }) => {
    const { user, app, tokens } = await signedIn()
    const before = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.equal(before.email, user.email)
    await loseEmail(app.client.id)
    const after = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.notProperty(after, 'email')
    const refreshed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    assert.equal(refreshed.scope, 'openid profile offline_access')
    assert.notProperty(refreshed.claims()!, 'email')
    const info = await oidc.fetchUserInfo(app.config, refreshed.access_token, user.id)
    assert.notProperty(info, 'email')
  })

  test('leaves the next token for {what}')
    .with([
      { what: 'the API', resource: settings.issuer },
      { what: 'another service', resource: OTHER },
    ])
    .run(async ({ assert }, { resource }) => {
      const { app, tokens } = await signedIn({ resource })
      assert.include(decodeClaims(tokens.access_token).scope, 'email')
      await loseEmail(app.client.id)
      const refreshed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
      const claims = decodeClaims(refreshed.access_token)
      assert.notInclude(claims.scope, 'email')
      assert.notProperty(claims, 'email')
    })

  test('leaves the introspection of a token for userinfo', async ({ client, assert }) => {
    const { app, tokens } = await signedIn()
    await loseEmail(app.client.id)
    const response = await client
      .post('/oauth/introspect')
      .basicAuth(app.client.clientId, app.clientSecret!)
      .form({ token: tokens.access_token })
    assert.equal(response.body().scope, 'openid profile offline_access')
  })

  test('is refused at the next request to the API', async ({ client, assert }) => {
    const scopes = ['openid', 'sessions:read'] as const
    const app = await application({ kind: 'first_party', scopes: [...scopes] })
    const asked = { scope: 'openid sessions:read', resource: settings.issuer }
    const tokens = await tokensOf(app, await browserOf(await createUser()), asked)
    const ask = async (path: string) => {
      const response = await client.get(path).headers(bearer(tokens.access_token))
      return response.status()
    }
    assert.deepEqual([await ask('/auth/sessions'), await ask('/auth/profile')], [200, 200])
    await updateClient(app.client.id, { scopes: ['openid'] }, SYSTEM)
    assert.deepEqual([await ask('/auth/sessions'), await ask('/auth/profile')], [403, 200])
  })

  test('leaves the introspection of a token for {what}')
    .with([
      { what: 'the API', resource: settings.issuer },
      { what: 'another service', resource: OTHER },
    ])
    .run(async ({ client, assert }, { resource }) => {
      const { app, tokens } = await signedIn({ resource })
      await loseEmail(app.client.id)
      const response = await client
        .post('/oauth/introspect')
        .basicAuth(app.client.clientId, app.clientSecret!)
        .form({ token: tokens.access_token })
      assert.isTrue(response.body().active)
      assert.notInclude(response.body().scope, 'email')
      assert.notProperty(response.body(), 'email')
    })
})

test.group('OpenID provider | a client that loses its refresh tokens', () => {
  const [SCOPES, GRANTS] = [
    ['openid', 'offline_access'],
    ['authorization_code', 'refresh_token'],
  ]

  async function signedIn(given: object) {
    const own = { kind: 'first_party', scopes: SCOPES, grantTypes: GRANTS, ...given }
    const app = await application(own as any)
    const scope = 'openid offline_access'
    const { refresh_token: refreshToken } = await tokensOf(
      app,
      await browserOf(await createUser()),
      { scope }
    )
    const refresh = async () => {
      const who = { client_id: app.client.clientId }
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken! }
      const basic = Buffer.from(`${app.client.clientId}:${app.clientSecret}`).toString('base64')
      const headers = app.clientSecret ? { authorization: `Basic ${basic}` } : {}
      const { status, body } = await post('/oauth/token', { ...who, ...grant }, headers)
      return status === 200 ? 'refreshed' : body.error
    }
    return { id: app.client.id, refresh }
  }

  const PUBLIC = { tokenEndpointAuthMethod: 'none' }
  const ALWAYS = { refreshTokens: 'always' }
  const WITHOUT_SCOPE = { scopes: ['openid'] }
  const WITHOUT_GRANT = { grantTypes: ['authorization_code'], refreshTokens: 'scope' }

  test('{what}: {outcome}')
    .with([
      { what: 'the scope', given: {}, loss: WITHOUT_SCOPE, outcome: 'invalid_grant' },
      { what: 'the scope of an app', given: PUBLIC, loss: WITHOUT_SCOPE, outcome: 'invalid_grant' },
      { what: 'the grant type', given: {}, loss: WITHOUT_GRANT, outcome: 'unauthorized_client' },
      {
        what: 'the scope that it needs no more',
        given: ALWAYS,
        loss: WITHOUT_SCOPE,
        outcome: 'refreshed',
      },
      {
        what: 'tokens without the scope',
        given: { ...ALWAYS, ...WITHOUT_SCOPE },
        loss: { refreshTokens: 'scope' },
        outcome: 'invalid_grant',
      },
    ])
    .run(async ({ assert }, { given, loss, outcome }) => {
      const { id, refresh } = await signedIn(given)
      await updateClient(id, loss as any, SYSTEM)
      assert.equal(await refresh(), outcome)
    })

  test('gets them back with the scope', async ({ assert }) => {
    const { id, refresh } = await signedIn({})
    await updateClient(id, { scopes: ['openid'] }, SYSTEM)
    assert.equal(await refresh(), 'invalid_grant')
    await updateClient(id, { scopes: ['openid', 'offline_access'] }, SYSTEM)
    assert.equal(await refresh(), 'refreshed')
  })
})

test.group('OpenID provider | the profile of a third party', () => {
  async function profileFor(scope: string) {
    const user = await createUser()
    const scopes = ['openid', 'profile', 'email', 'profile:read'] as const
    const app = await application({ scopes: [...scopes] })
    const browser = await browserOf(user)
    const { url, checks } = await authorizationRequest(app, { scope, resource: settings.issuer })
    const answer = await allow(browser, await browser.open(url))
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    return { user, token: tokens.access_token }
  }

  test('shows with {scope}: {shown}')
    .with([
      { scope: 'openid', shown: ['id', 'kind'] },
      { scope: 'openid email', shown: ['email', 'emailVerified', 'id', 'kind'] },
      {
        scope: 'openid profile',
        shown: ['avatar', 'handle', 'id', 'kind', 'nickname', 'role', 'updatedAt', 'username'],
      },
    ])
    .run(async ({ client, assert }, { scope, shown }) => {
      const { user, token } = await profileFor(scope)
      const response = await client.get('/auth/profile').headers(bearer(token))
      response.assertStatus(200)
      assert.equal(response.body().id, user.id)
      assert.deepEqual(Object.keys(response.body()).toSorted(), shown)
      const { handle_received_at: at } = await db.from('users').where('id', user.id).firstOrFail()
      assert.equal(at !== null, shown.includes('handle'))
    })

  test('is whole with the scope for it', async ({ client, assert }) => {
    const { user, token } = await profileFor('openid profile:read')
    const response = await client.get('/auth/profile').headers(bearer(token))
    assert.equal(response.body().email, user.email)
    assert.property(response.body(), 'mfaEnabled')
  })
})

test.group('OpenID provider | many services in one browser', () => {
  const services = [0, 1, 2].map((group) =>
    Array.from({ length: 10 }, (_, at) => `https://s${group}-${at}.example.org/${'x'.repeat(200)}`)
  )

  test('keep no user from the next one', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(await createUser())
    for (const resources of services) {
      const { url } = await authorizationRequest(app, { scope: 'openid' })
      for (const resource of resources) url.searchParams.append('resource', resource)
      assert.equal(outcomeOf(await browser.open(url)), 'signed in')
    }
    const asked = { scope: 'openid profile', resource: services[0][0] }
    const tokens = await tokensOf(app, browser, asked)
    assert.equal(tokens.scope, 'openid profile')
  })
})
