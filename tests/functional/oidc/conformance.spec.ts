import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  tokensOf,
  type Application,
} from '#tests/support/oidc'
import { post } from './attacker.ts'
import type User from '#models/user'

/*
 | What the plans Config and Basic of the OpenID Foundation's suite check and no other test checks.
 | The client has a secret, sends no challenge and relies on the standard's defaults.
 */

const confidential = () => application({ kind: 'first_party', requirePkce: false })

/** Makes a request as a client without PKCE sends it. */
async function requestOf(app: Application, parameters: Record<string, string> = {}) {
  const { url } = await authorizationRequest(app, { scope: 'openid', ...parameters })
  for (const name of ['code_challenge', 'code_challenge_method', 'nonce']) {
    if (!(name in parameters)) url.searchParams.delete(name)
  }
  const expectedState = url.searchParams.get('state') ?? undefined
  const expectedNonce = url.searchParams.get('nonce') ?? undefined
  return { url, checks: { expectedState, expectedNonce } }
}

async function redeemed(app: Application, browser: Browser, parameters = {}) {
  const { url, checks } = await requestOf(app, parameters)
  const answer = await browser.open(url)
  return oidc.authorizationCodeGrant(app.config, answer.url, checks)
}

test.group('Conformance | discovery', () => {
  test('names what the suite looks for', async ({ client, assert }) => {
    const response = await client.get('/.well-known/openid-configuration')
    const body = response.body()
    assert.containsSubset(body, {
      issuer: settings.issuer,
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    })
    assert.includeMembers(body.id_token_signing_alg_values_supported, ['RS256'])
    assert.includeMembers(body.ui_locales_supported, ['en', 'de', 'es', 'fr'])
    assert.includeMembers(body.scopes_supported, ['openid', 'profile', 'email'])
    assert.includeMembers(body.claims_supported, ['sub', 'name', 'email', 'locale', 'updated_at'])
    assert.includeMembers(body.grant_types_supported, ['authorization_code', 'refresh_token'])
  })
})

test.group('Conformance | requests that succeed', () => {
  test('{$self} is ignored or taken')
    .with([
      'display=page',
      'display=popup',
      'ui_locales=se',
      'claims_locales=se',
      'extra=foobar',
      'login_hint=ada@example.org',
      'acr_values=1 2',
      'max_age=10000',
      'scope=openid address',
      'scope=openid phone',
      'scope=openid profile email address phone',
      'scope=email openid',
      'nonce=abc',
      `nonce=${'n'.repeat(400)}`,
    ])
    .run(async ({ assert }, parameter) => {
      const [name, value] = parameter.split('=')
      const [app, user] = [await confidential(), await createUser()]
      const tokens = await redeemed(app, await browserOf(user), { [name]: value })
      assert.equal(tokens.claims()!.sub, user.id)
      assert.equal(tokens.claims()!.nonce, name === 'nonce' ? value : undefined)
      assert.isNumber(tokens.claims()!.auth_time)
    })

  test('userinfo answers {how}')
    .with([{ how: 'a GET' }, { how: 'a POST by header' }, { how: 'a POST by body' }])
    .run(async ({ client, assert }, { how }) => {
      const user = await createUser()
      const scope = 'openid profile email'
      const { access_token: token } = await redeemed(await confidential(), await browserOf(user), {
        scope,
      })
      const authorization = `Bearer ${token}`
      const requests = {
        'a GET': () => client.get('/oauth/userinfo').headers({ authorization }),
        'a POST by header': () =>
          client.post('/oauth/userinfo').headers({ authorization }).form({}),
        'a POST by body': () => client.post('/oauth/userinfo').form({ access_token: token }),
      }
      const response = await requests[how as keyof typeof requests]()
      response.assertStatus(200)
      assert.containsSubset(response.body(), { sub: user.id, email: user.email })
      assert.isBoolean(response.body().email_verified)
    })

  test('a secret in the body redeems a code', async ({ assert }) => {
    const method = 'client_secret_post'
    const app = await application({ kind: 'first_party', tokenEndpointAuthMethod: method })
    const { url, verifier } = await authorizationRequest(app)
    const browser = await browserOf(await createUser())
    const answer = await browser.open(url)
    const { status } = await post('/oauth/token', {
      grant_type: 'authorization_code',
      code: answer.url.searchParams.get('code')!,
      redirect_uri: url.searchParams.get('redirect_uri')!,
      code_verifier: verifier,
      client_id: app.client.clientId,
      client_secret: app.clientSecret!,
    })
    assert.equal(status, 200)
  })

  test('a refreshed ID token is about the same sign-in', async ({ assert }) => {
    freezeTime()
    const app = await confidential()
    const scope = { scope: 'openid offline_access', prompt: 'consent' }
    const first = await redeemed(app, await browserOf(await createUser()), scope)
    timeTravel(5_000)
    const second = await oidc.refreshTokenGrant(app.config, first.refresh_token!)
    const [before, after] = [first.claims()!, second.claims()!]
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) {
      assert.deepEqual(after[name], before[name], name)
    }
    assert.isAbove(after.iat, before.iat)
  })
})

test.group('Conformance | requests that fail', () => {
  test('{what} is {error}')
    .with([
      { what: 'prompt=none', parameters: { prompt: 'none' }, error: 'login_required' },
      { what: 'no response_type', parameters: { response_type: '' }, error: 'invalid_request' },
      {
        what: 'a request object',
        parameters: { request: 'eyJhbGciOiJub25lIn0.e30.' },
        error: 'request_not_supported',
      },
      {
        what: 'an address of one',
        parameters: { request_uri: 'https://app.example.org/request.jwt' },
        error: 'request_uri_not_supported',
      },
      {
        what: 'a registration',
        parameters: { registration: '{}' },
        error: 'registration_not_supported',
      },
      { what: 'another prompt', parameters: { prompt: 'create' }, error: 'invalid_request' },
    ])
    .run(async ({ assert }, { parameters, error }) => {
      const { url } = await requestOf(await confidential(), parameters as any)
      const answer = await new Browser().open(url)
      assert.equal(answer.url.searchParams.get('error'), error)
      assert.equal(answer.url.searchParams.get('state'), url.searchParams.get('state'))
      assert.equal(answer.url.searchParams.get('iss'), settings.issuer)
    })

  test('a code that is sent again 30 s later ends its tokens', async ({ assert }) => {
    freezeTime()
    const [app, user] = [await confidential(), await createUser()]
    const { url, checks } = await requestOf(app)
    const browser = await browserOf(user)
    const answer = await browser.open(url)
    const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const { access_token: token } = await redeem()
    timeTravel(30_000)
    await assert.rejects(redeem)
    await assert.rejects(() => oidc.fetchUserInfo(app.config, token, user.id))
  })
})

test.group('Conformance | a browser that is signed in', () => {
  async function signedIn(user: User, parameters: Record<string, string> = {}) {
    freezeTime()
    const [app, browser] = [await confidential(), await browserOf(user)]
    const first = await tokensOf(app, browser, { scope: 'openid', ...parameters })
    timeTravel(3_000)
    return { app, browser, first: first.claims()!, hint: first.id_token! }
  }

  test('{what} keeps the sign-in')
    .with([
      { what: 'prompt=none', parameters: { prompt: 'none' } },
      { what: 'max_age=10000', parameters: { max_age: '10000' } },
    ])
    .run(async ({ assert }, { parameters }) => {
      const { app, browser, first } = await signedIn(await createUser())
      const second = await redeemed(app, browser, parameters)
      const { sub, auth_time: time } = second.claims()!
      assert.deepEqual([sub, time], [first.sub, first.auth_time])
    })

  test('an ID token as hint goes on without a question', async ({ assert }) => {
    const { app, browser, first, hint } = await signedIn(await createUser())
    const second = await redeemed(app, browser, { prompt: 'none', id_token_hint: hint })
    assert.equal(second.claims()!.sub, first.sub)
  })

  test('a sign-in of {who} after a hint leads to {end}')
    .with([
      { who: 'the user of the hint', end: 'a code' },
      { who: 'another user', end: 'a page that says so' },
    ])
    .run(async ({ assert }, { who, end }) => {
      const [user, other] = [await createUser(), await createUser()]
      const { app, hint } = await signedIn(user)
      const browser = new Browser()
      const { url } = await requestOf(app, { id_token_hint: hint })
      const page = await browser.open(url)
      const { email } = who === 'another user' ? other : user
      const answer = await browser.submit(page, /^\/sign-in$/, { email, password: PASSWORD })
      const hasCode = answer.url.searchParams.has('code')
      assert.equal(hasCode ? 'a code' : 'a page that says so', end)
      if (!hasCode) assert.include(answer.html, 'Another account is needed')
    })

  test('{what} asks for the password, and auth_time is later')
    .with([
      { what: 'prompt=login', parameters: { prompt: 'login' } },
      { what: 'max_age=1', parameters: { max_age: '1' } },
      { what: 'max_age=0', parameters: { max_age: '0' } },
    ])
    .run(async ({ assert }, { parameters }) => {
      const { app, browser, first } = await signedIn(await createUser())
      const { url, checks } = await requestOf(app, parameters as any)
      const page = await browser.open(url)
      assert.equal(page.url.pathname, '/confirm')
      const answer = await browser.submit(page, /^\/confirm$/, { password: PASSWORD })
      const second = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
      assert.isAbove(second.claims()!.auth_time!, first.auth_time!)
      assert.equal(second.claims()!.sub, first.sub)
    })
})
