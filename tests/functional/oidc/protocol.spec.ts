import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import tokenSettings from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { pruneExpired } from '#maintenance/prune_expired'
import { addServiceAccount } from '#users/service_accounts'
import { disableUser } from '#users/disable_user'
import { bearer, createAdmin, decodeClaims } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  pushedRequest,
  REDIRECT,
  throughProxy,
  tokensOf,
} from '#tests/support/oidc'
import type { ApiClient } from '@japa/api-client'

test.group('OpenID provider | discovery', () => {
  test('discovery takes every address from APP_URL, not Host', async ({ client, assert }) => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const response = await client
        .get(`/.well-known/${name}`)
        .headers({ 'host': 'evil.example', 'x-forwarded-host': 'evil.example' })
      response.assertStatus(200)
      const { issuer, ...document } = response.body()
      assert.equal(issuer, settings.issuer)
      assert.notInclude(JSON.stringify(document), 'evil.example')
      assert.equal(document.token_endpoint, `${settings.issuer}/oauth/token`)
      assert.equal(document.introspection_endpoint, `${settings.issuer}/oauth/introspect`)
      assert.equal(document.end_session_endpoint, `${settings.issuer}/oauth/logout`)
    }
  })

  test('it names what is on, and nothing else', async ({ client, assert }) => {
    const response = await client.get('/.well-known/openid-configuration')
    const body = response.body()
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.response_modes_supported, ['query', 'fragment', 'form_post'])
    assert.deepEqual(body.prompt_values_supported, ['none', 'login', 'select_account', 'consent'])
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(body.id_token_signing_alg_values_supported, ['RS256', 'ES256', 'EdDSA'])
    assert.isTrue(body.authorization_response_iss_parameter_supported)
    assert.isTrue(body.backchannel_logout_supported)
    assert.notProperty(body, 'registration_endpoint')
    assert.includeMembers(body.acr_values_supported, [
      'urn:gatehouse:acr:pwd',
      'urn:gatehouse:acr:mfa',
    ])
    assert.sameMembers(body.grant_types_supported, [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
  })
})

async function firstParty() {
  const user = await createAdmin()
  const app = await application({ kind: 'first_party', requirePkce: true })
  return { user, app, browser: await browserOf(user) }
}

test.group('OpenID provider | what is refused', () => {
  const PARAMETERS = [
    { what: 'no code challenge', change: { code_challenge: '', code_challenge_method: '' } },
    { what: 'a plain challenge', change: { code_challenge_method: 'plain' } },
    { what: 'the implicit flow', change: { response_type: 'id_token' } },
    { what: 'the hybrid flow', change: { response_type: 'code id_token' } },
    { what: 'another mode', change: { response_mode: 'form_post.jwt' } },
    { what: 'a request object', change: { request: 'eyJhbGciOiJub25lIn0.e30.' } },
    { what: 'an unknown service', change: { resource: 'http://other.example' } },
  ]

  test('{what} leads back with an error')
    .with(PARAMETERS)
    .run(async ({ assert }, { change }) => {
      const { app, browser } = await firstParty()
      const { url } = await authorizationRequest(app)
      for (const [name, value] of Object.entries(change)) {
        if (value) url.searchParams.set(name, value)
        else url.searchParams.delete(name)
      }
      const answer = await browser.open(url)
      assert.equal(answer.url.origin, new URL(REDIRECT).origin)
      const parameters = new URLSearchParams(answer.url.search || answer.url.hash.slice(1))
      assert.isNotNull(parameters.get('error'))
      assert.equal(parameters.get('iss'), settings.issuer)
      assert.isNull(parameters.get('code'))
    })

  test('{what} shows a page and leads nowhere')
    .with([
      { what: 'an unknown client', change: { client_id: 'unknown' } },
      { what: 'another redirect', change: { redirect_uri: 'https://evil.example/callback' } },
      { what: 'a longer redirect', change: { redirect_uri: `${REDIRECT}/more` } },
      { what: 'a redirect in capitals', change: { redirect_uri: REDIRECT.toUpperCase() } },
    ])
    .run(async ({ assert }, { change }) => {
      const { app, browser } = await firstParty()
      const { url } = await authorizationRequest(app)
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
      const { response, html } = await browser.open(url)
      assert.equal(response.status, 400)
      assert.isNull(response.headers.get('location'))
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
      /** The page shows the address as text, without a link to it. */
      assert.notMatch(html, /(?:href|action|src|content)="[^"]*evil\.example/)
    })

  const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

  const token = (client: ApiClient, form: object) => client.post('/oauth/token').form(form)

  test('the token endpoint answers {error} as RFC 6749 says')
    .with([
      { error: 'invalid_request', status: 400, form: {} },
      { error: 'unsupported_grant_type', status: 400, form: { grant_type: 'password' } },
      { error: 'unauthorized_client', status: 400, form: { grant_type: DEVICE, device_code: 'x' } },
      {
        error: 'invalid_grant',
        status: 400,
        form: {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: REDIRECT,
          code_verifier: 'x'.repeat(43),
        },
      },
      {
        error: 'invalid_grant',
        status: 400,
        form: { grant_type: 'refresh_token', refresh_token: 'x' },
      },
    ])
    .run(async ({ client, assert }, { error, status, form }) => {
      const { client: registered } = await application({ tokenEndpointAuthMethod: 'none' })
      const response = await token(client, { client_id: registered.clientId, ...form })
      response.assertStatus(status)
      assert.equal(response.body().error, error)
      assert.equal(response.header('cache-control'), 'no-store')
    })

  test('a wrong secret is 401 with a challenge', async ({ client, assert }) => {
    const { client: registered } = await application()
    const response = await client
      .post('/oauth/token')
      .basicAuth(registered.clientId, 'wrong')
      .form({ grant_type: 'refresh_token', refresh_token: 'x' })
    response.assertStatus(401)
    assert.equal(response.body().error, 'invalid_client')
    assert.match(response.header('www-authenticate')!, /^Basic/)
  })

  test('a code is good for {seconds} seconds: {status}')
    .with([
      { seconds: 59, isGood: true },
      { seconds: 60, isGood: false },
    ])
    .run(async ({ assert }, { seconds, isGood }) => {
      freezeTime()
      const { app, browser } = await firstParty()
      const { url, checks } = await authorizationRequest(app)
      const answer = await browser.open(url)
      timeTravel(seconds * 1_000)
      const redeemed = oidc.authorizationCodeGrant(app.config, answer.url, checks)
      if (isGood) await assert.doesNotReject(() => redeemed)
      else await assert.rejects(() => redeemed)
    })

  test('another verifier redeems no code', async ({ assert }) => {
    const { app, browser } = await firstParty()
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    const forged = { ...checks, pkceCodeVerifier: 'x'.repeat(43) }
    await assert.rejects(() => oidc.authorizationCodeGrant(app.config, answer.url, forged))
  })

  test('another client redeems no code', async ({ assert }) => {
    const { app, browser } = await firstParty()
    const other = await application()
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    await assert.rejects(() => oidc.authorizationCodeGrant(other.config, answer.url, checks))
  })

  test('nothing that was issued can be read in the database', async ({ assert }) => {
    const { app, browser } = await firstParty()
    const { url, checks } = await authorizationRequest(app, { scope: 'openid offline_access' })
    const answer = await browser.open(url)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const rows = JSON.stringify(await db.from('oauth_records'))
    const issued = [
      answer.url.searchParams.get('code')!,
      tokens.access_token,
      tokens.refresh_token!,
    ]
    for (const secret of issued) assert.notInclude(rows, secret)
  })

  test('what has expired is pruned', async ({ assert }) => {
    const { app, browser } = await firstParty()
    await tokensOf(app, browser)
    await pruneExpired(Date.now() + 31 * 86_400_000)
    const rows = await db.from('oauth_records').where('client_id', app.client.clientId)
    assert.lengthOf(rows, 0)
  })
})

test.group('OpenID provider | extensions', () => {
  test('a pushed request is used once', async ({ assert }) => {
    const { app, browser } = await firstParty()
    const { url, verifier } = await pushedRequest(app)
    const answer = await browser.open(url)
    await oidc.authorizationCodeGrant(app.config, answer.url, { pkceCodeVerifier: verifier })
    const again = await browser.open(url)
    assert.isNull(again.url.searchParams.get('code'))
  })

  test('a token bound by DPoP needs its proof', async ({ assert }) => {
    const { user, app, browser } = await firstParty()
    const DPoP = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    const granted = oidc.authorizationCodeGrant(app.config, answer.url, checks, undefined, { DPoP })
    const tokens = await granted
    assert.equal(tokens.token_type, 'dpop')
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id, { DPoP })
    assert.equal(info.sub, user.id)
    const plain = await throughProxy(`${settings.issuer}/oauth/userinfo`, {
      headers: bearer(tokens.access_token),
    })
    assert.equal(plain.status, 401)
  })

  test('the API takes no token that is bound to a key', async ({ client, assert }) => {
    const { app, browser } = await firstParty()
    const DPoP = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const { url, checks } = await authorizationRequest(app, { resource: settings.issuer })
    const answer = await browser.open(url)
    const options = { DPoP }
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks, {}, options)
    assert.property(decodeClaims(tokens.access_token), 'cnf')
    const profile = await client.get('/auth/profile').headers(bearer(tokens.access_token))
    profile.assertStatus(401)
  })

  test('a public client rotates its refresh token; reuse ends all', async ({ assert }) => {
    const user = await createAdmin()
    const app = await application({ kind: 'first_party', tokenEndpointAuthMethod: 'none' })
    const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid offline_access' })
    const renewed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    assert.notEqual(renewed.refresh_token, tokens.refresh_token)
    timeTravel(tokenSettings.rotationGraceMs + 1_000)
    await assert.rejects(() => oidc.refreshTokenGrant(app.config, tokens.refresh_token!))
    await assert.rejects(() => oidc.refreshTokenGrant(app.config, renewed.refresh_token!))
  })

  test('an app may use any port of loopback, and no other host', async ({ assert }) => {
    const user = await createAdmin()
    const redirectUris = ['http://127.0.0.1/callback']
    const native = { kind: 'first_party', tokenEndpointAuthMethod: 'none', redirectUris } as const
    const app = await application(native)
    const browser = await browserOf(user)
    const open = async (redirect_uri: string) => {
      const { url } = await authorizationRequest(app, { redirect_uri })
      return browser.open(url)
    }
    const question = await open('http://127.0.0.1:51004/callback')
    const { url } = await browser.submit(question, /^\/oauth\/interaction\//, { decision: 'allow' })
    assert.equal(url.host, '127.0.0.1:51004')
    assert.isNotNull(url.searchParams.get('code'))
    const refused = await open('http://192.0.2.1:51004/callback')
    assert.equal(refused.response.status, 400)
  })

  test('the origin {origin} is answered {allowed}')
    .with([
      { origin: 'https://app.example.org', isAllowed: true },
      { origin: 'https://evil.example', isAllowed: false },
      { origin: 'null', isAllowed: false },
    ])
    .run(async ({ client, assert }, { origin, isAllowed }) => {
      const { client: registered } = await application({ tokenEndpointAuthMethod: 'none' })
      const response = await client
        .post('/oauth/token')
        .header('origin', origin)
        .form({ client_id: registered.clientId, grant_type: 'refresh_token', refresh_token: 'x' })
      const allowed = response.header('access-control-allow-origin')
      assert.equal(allowed, isAllowed ? origin : undefined)
    })

  test('a service account acts by client_credentials until disabled', async ({
    client,
    assert,
  }) => {
    const service = await addServiceAccount({ username: 'Robot', role: 'Admin' }, SYSTEM)
    const app = await application({
      grantTypes: ['client_credentials'],
      redirectUris: [],
      scopes: ['users:read'],
      serviceAccountId: service.id,
    })
    const grant = () => oidc.clientCredentialsGrant(app.config, { scope: 'users:read' })
    const { access_token: token } = await grant()
    assert.containsSubset(decodeClaims(token), { sub: service.id, client_id: app.client.clientId })
    const users = await client.get('/users').headers(bearer(token))
    users.assertStatus(200)
    await disableUser(service.id, {}, SYSTEM)
    const refused = await client.get('/users').headers(bearer(token))
    refused.assertStatus(401)
    await assert.rejects(grant)
  })

  test('the web session is never shown as a cookie of the library', async ({ assert }) => {
    const { app, browser } = await firstParty()
    await tokensOf(app, browser)
    assert.notInclude([...browser.cookies.keys()].join(), 'provider_session')
  })

  test('a stranger with no cookie is asked to sign in', async ({ assert }) => {
    const app = await application()
    const { url } = await authorizationRequest(app)
    const response = await new Browser().request(url)
    assert.equal(response.status, 200)
    assert.include(await response.text(), 'action="/sign-in"')
  })
})
