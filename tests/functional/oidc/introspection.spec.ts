import { createHmac } from 'node:crypto'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import signingKeys from '#config/signing_keys'
import tokenSettings from '#config/tokens'
import { Keyring } from '#auth/tokens/keyring'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import {
  bearer,
  createAdmin,
  createUser,
  decodeClaims,
  decodeHeader,
  keyOf,
  signedIn,
} from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  tokensOf,
  type Application,
} from '#tests/support/oidc'
import type { ApiClient } from '@japa/api-client'

const API = { resource: settings.issuer, scope: 'openid email' }
const OTHER = { resource: 'https://mcp.example.org', scope: 'openid email' }

async function signedInto(parameters: Record<string, string> = {}) {
  const user = await createAdmin()
  const app = await application({ kind: 'first_party' })
  const tokens = await tokensOf(app, await browserOf(user), parameters)
  return { user, app, token: tokens.access_token }
}

function introspect(client: ApiClient, asking: Application | Headers, token: string) {
  const request = client.post('/oauth/introspect').form({ token })
  if (!isApplication(asking)) return request.headers(asking)
  return request.basicAuth(asking.client.clientId, asking.clientSecret!)
}

type Headers = Record<string, string>

function isApplication(asking: Application | Headers): asking is Application {
  return 'config' in asking
}

async function answerOf(client: ApiClient, asking: Application | Headers, token: string) {
  const response = await introspect(client, asking, token)
  return { body: response.body() }
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs a token as an attacker who knows the secret could. */
function signedByUs(header: object, claims: object) {
  const input = `${encode(header)}.${encode(claims)}`
  const hmac = createHmac('sha256', new Keyring(tokenSettings.accessSecrets).secret)
  return `${input}.${hmac.update(input).digest('base64url')}`
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

  test('a client id of no printable characters is unknown', async ({ client }) => {
    for (const id of ['%00', 'é', `${'x'.repeat(256)}`]) {
      const request = client.post('/oauth/introspect').basicAuth(id, 'wrong')
      const response = await request.form({ token: 'x' })
      response.assertStatus(401)
    }
  })

  test('an error is one of RFC 6749: {error}')
    .with([
      { secret: 'right', form: {}, status: 400, error: 'invalid_request' },
      { secret: 'wrong', form: { token: 'x' }, status: 401, error: 'invalid_client' },
    ])
    .run(async ({ client, assert }, { secret, form, status, error }) => {
      const { client: registered, clientSecret } = await application()
      const given = secret === 'right' ? clientSecret! : secret
      const request = client.post('/oauth/introspect').basicAuth(registered.clientId, given)
      const response = await request.form(form)
      response.assertStatus(status)
      assert.containsSubset(response.body(), { error, statusCode: status })
      assert.isString(response.body().error_description)
    })

  async function boundToken(parameters: Record<string, string>) {
    const app = await application({ kind: 'first_party' })
    const { url, checks } = await authorizationRequest(app, parameters)
    const browser = await browserOf(await createUser())
    const answer = await browser.open(url)
    const DPoP = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const grant = oidc.authorizationCodeGrant(app.config, answer.url, checks, {}, { DPoP })
    const { access_token: token } = await grant
    return { app, token, jkt: await DPoP.calculateThumbprint() }
  }

  test('a token {what} that is bound to a key names it')
    .with([
      { what: 'for userinfo', parameters: {} },
      { what: 'for another service', parameters: OTHER },
    ])
    .run(async ({ client, assert }, { parameters }) => {
      const { app, token, jkt } = await boundToken(parameters)
      const { body } = await answerOf(client, app, token)
      assert.containsSubset(body, { active: true, token_type: 'DPoP', cnf: { jkt } })
    })

  test('one of the API that is bound to a key is inactive', async ({ client, assert }) => {
    const { app, token } = await boundToken(API)
    const { body } = await answerOf(client, app, token)
    assert.deepEqual(body, { active: false })
  })

  test('the secret may be in the form', async ({ client, assert }) => {
    const { app, token } = await signedInto()
    const credentials = { client_id: app.client.clientId, client_secret: app.clientSecret }
    const response = await client.post('/oauth/introspect').form({ token, ...credentials })
    assert.isTrue(response.body().active)
  })
})

test.group('OpenID provider | who may introspect what', () => {
  const ALL = { userinfo: {}, api: API, other: OTHER }

  async function seenBy(client: ApiClient, asking: Application | Headers) {
    const { app, ...given } = await signedInto()
    const browser = await browserOf(given.user)
    const seen: Record<string, boolean> = {}
    for (const [name, parameters] of Object.entries(ALL)) {
      const { access_token: token } = await tokensOf(app, browser, parameters)
      const { body } = await answerOf(client, asking, token)
      seen[name] = body.active
    }
    return seen
  }

  test('another client is told of no token', async ({ client, assert }) => {
    const seen = await seenBy(client, await application())
    assert.deepEqual(seen, { userinfo: false, api: false, other: false })
  })

  test('the service whose audience it is is told of its tokens', async ({ client, assert }) => {
    const redirectUris = [`${OTHER.resource}/callback`]
    const seen = await seenBy(client, await application({ redirectUris }))
    assert.deepEqual(seen, { userinfo: false, api: false, other: true })
  })

  test('an API key is told of all but tokens for userinfo', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
    const seen = await seenBy(client, headers)
    assert.deepEqual(seen, { userinfo: false, api: true, other: true })
  })

  test('a client is told of no sign-in and no API key', async ({ client, assert }) => {
    const app = await application()
    const user = await createUser()
    const [{ accessToken }, { key }] = [await signedIn(client, user), await keyOf(user)]
    for (const token of [accessToken, key]) {
      const { body } = await answerOf(client, app, token)
      assert.deepEqual(body, { active: false })
    }
  })
})

test.group('OpenID provider | access tokens of the API', () => {
  test('have an audience of their own, and the claims of their scopes: {scope}')
    .with([
      { scope: 'openid', claims: [] },
      { scope: 'openid email', claims: ['email'] },
      { scope: 'openid profile', claims: ['role'] },
    ])
    .run(async ({ client, assert }, { scope, claims }) => {
      const { user, token } = await signedInto({ ...API, scope })
      const payload = decodeClaims(token)
      assert.equal(payload.aud, signingKeys.clientAudience)
      assert.notEqual(payload.aud, signingKeys.audience)
      const personal = ['email', 'role'].filter((claim) => claim in payload)
      assert.deepEqual(personal, claims)
      const profile = await client.get('/auth/profile').headers(bearer(token))
      assert.containsSubset(profile.body(), { email: user.email, role: 'Admin' })
    })

  test('one without a client is none, whatever its audience', async ({ client }) => {
    const { token } = await signedInto(API)
    const { client_id: clientId, ...claims } = decodeClaims(token)
    const header = decodeHeader(token)
    const forged = signedByUs({ ...header }, { ...claims, email: 'a@b.example', role: 'Admin' })
    const response = await client.get('/auth/profile').headers(bearer(forged))
    response.assertStatus(401)
  })

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
      assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE', path)
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
