import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import settings from '#config/external'
import mfaSettings from '#config/mfa'
import {
  createUser,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { OpenIdProvider } from '#tests/servers/openid'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { signInAtProvider, TestBrowser } from './browser.ts'

const acme = new OpenIdProvider(
  process.env.OIDC_ACME_ISSUER!,
  `${process.env.APP_URL}/auth/external/acme/callback`
)

test.group('External login | a real provider', (group) => {
  group.setup(() => acme.start())
  group.teardown(() => acme.stop() as Promise<void>)

  test('the list has every configured provider', async ({ client, assert }) => {
    const response = await client.get('/auth/external')
    assert.deepEqual(
      response.body().map((each: { name: string }) => each.name),
      ['acme', 'hostile', 'google', 'github']
    )
  })

  test('a first login creates the user, a second finds them', async ({ assert }) => {
    const name = `ada-${randomUUID().slice(0, 8)}`
    const ids: string[] = []
    for (let visit = 1; visit <= 2; visit++) {
      const browser = new TestBrowser()
      const callback = await signInAtProvider(browser, '/auth/external/acme', name)
      const response = await browser.request(callback)
      const body: any = await response.json()
      assert.equal(response.status, 200, JSON.stringify(body))
      assert.equal(body.user.email, `${name}@example.org`)
      ids.push(body.user.id)
    }
    assert.equal(ids[0], ids[1])
    const user = await User.findOrFail(ids[0])
    assert.containsSubset(user.serialize(), { provider: 'acme', providerId: name })
    assert.isTrue(user.isEmailVerified)
  })

  test('the redirect has PKCE, state, nonce and scopes', async ({ assert }) => {
    const response = await new TestBrowser().request('/auth/external/acme')
    const { searchParams } = new URL(response.headers.get('location')!)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.lengthOf(searchParams.get('state')!, 43)
    assert.lengthOf(searchParams.get('nonce')!, 43)
    assert.equal(searchParams.get('scope'), 'openid email profile')
    const [cookie] = response.headers.getSetCookie()
    assert.match(cookie, /HttpOnly/)
    assert.match(cookie, /SameSite=Lax/)
  })

  test('the browser returns with a code that works once', async ({ client, assert }) => {
    const name = `ada-${randomUUID().slice(0, 8)}`
    const browser = new TestBrowser()
    const start = '/auth/external/acme?returnTo=http://app.gatehouse.test/welcome?a=1'
    const callback = await signInAtProvider(browser, start, name)
    const response = await browser.request(callback)
    const onward = new URL(response.headers.get('location')!)
    assert.equal(onward.origin + onward.pathname, 'http://app.gatehouse.test/welcome')
    const exchange = () =>
      client
        .post('/auth/external/exchange')
        .header('x-forwarded-for', browser.address)
        .json({ code: onward.searchParams.get('code') })
    const answers = await Promise.all([exchange(), exchange(), exchange()])
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [200, 400, 400])
  })

  test('no browser is redirected to {returnTo}')
    .with([
      { returnTo: 'https://evil.example/' },
      { returnTo: '//evil.example/' },
      { returnTo: 'http://app.gatehouse.test.evil.example/' },
      { returnTo: 'http://app.gatehouse.test@evil.example/' },
      { returnTo: 'javascript:alert(1)' },
    ])
    .run(async ({ client, assert }, { returnTo }) => {
      const response = await client.get('/auth/external/acme').qs({ returnTo }).redirects(0)
      response.assertStatus(400)
      assert.equal(response.body().code, 'E_INVALID_RETURN_TO')
    })

  test('a provider that is not configured answers 404', async ({ client }) => {
    const response = await client.get('/auth/external/nobody')
    response.assertStatus(404)
  })
})

test.group('External login | a hostile provider', (group) => {
  let hostile: HostileProvider
  group.each.setup(async () => {
    hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
    await hostile.start()
  })
  group.each.teardown(() => hostile.stop() as Promise<void>)

  async function comeBack(browser = new TestBrowser(), provider = 'hostile') {
    const response = await browser.request(await browser.callbackOf(provider))
    return { status: response.status, body: (await response.json()) as any }
  }

  test('a correct answer signs the user in', async ({ assert }) => {
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const { status, body } = await comeBack()
    assert.equal(status, 200, JSON.stringify(body))
  })

  test('an answer with {name} is refused')
    .with([
      { name: 'another issuer', behaviour: { claims: { iss: 'https://evil.example' } } },
      { name: 'another audience', behaviour: { claims: { aud: 'somebody-else' } } },
      { name: 'another nonce', behaviour: { claims: { nonce: 'replayed' } } },
      { name: 'no nonce', behaviour: { claims: { nonce: undefined } } },
      { name: 'an expired token', behaviour: { claims: { exp: 1 } } },
      { name: 'a foreign signature', behaviour: { signature: 'foreign' as const } },
      { name: 'no signature', behaviour: { signature: 'none' as const } },
      { name: 'nonsense', behaviour: { instead: 'nonsense' as const } },
    ])
    .run(async ({ assert }, { behaviour }) => {
      const email = someEmail()
      const claims = { email, email_verified: true, ...(behaviour as any).claims }
      hostile.behaviour = { ...behaviour, claims }
      const { status, body } = await comeBack()
      assert.equal(status, 401, JSON.stringify(body))
      assert.isNull(await User.findBy('email', email))
    })

  test('a provider that is {name} gets {status}')
    .with([
      { name: 'broken', status: 502, behaviour: { instead: 'error' as const } },
      { name: 'endless', status: 502, behaviour: { instead: 'huge' as const } },
      { name: 'slow', status: 504, behaviour: { delayMs: 6_000 } },
      { name: 'elsewhere', status: 401, behaviour: { instead: 'elsewhere' as const } },
    ])
    .run(async ({ assert }, { status, behaviour }) => {
      hostile.behaviour = behaviour
      const browser = new TestBrowser()
      const callback = await browser.callbackOf('hostile')
      const startedAt = performance.now()
      const response = await browser.request(callback)
      const tookMs = performance.now() - startedAt
      assert.equal(response.status, status, await response.text())
      assert.isBelow(tookMs, settings.deadlineMs + SCHEDULING_MS)
    })

  test('a provider that is down gets 502', async ({ assert }) => {
    const browser = new TestBrowser()
    const callback = await browser.callbackOf('hostile')
    await hostile.stop()
    const response = await browser.request(callback)
    assert.equal(response.status, 502)
    await hostile.start()
  })

  test('a callback cannot be replayed or forged', async ({ assert }) => {
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const browser = new TestBrowser()
    const callback = await browser.callbackOf('hostile')
    const stranger = await new TestBrowser().request(callback)
    assert.equal(stranger.status, 400)
    const first = await browser.request(callback)
    assert.equal(first.status, 200)
    const second = await browser.request(callback)
    assert.equal(second.status, 400)
    const bare = await browser.request('/auth/external/hostile/callback?code=x')
    assert.equal(bare.status, 400)
  })

  test('a code fails at the callback of another provider', async ({ assert }) => {
    const browser = new TestBrowser()
    const callback = await browser.callbackOf('hostile')
    const other = await browser.request(callback.replace('/hostile/', '/acme/'))
    assert.equal(other.status, 400)
  })

  test('a user who declines is refused', async ({ assert }) => {
    const browser = new TestBrowser()
    const callback = new URL(await browser.callbackOf('hostile'))
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
    const response = await browser.request(callback.href)
    assert.equal(response.status, 401)
  })

  test('a new user needs an e-mail address', async ({ assert }) => {
    hostile.behaviour = { claims: { email: undefined } }
    const { status, body } = await comeBack()
    assert.equal(status, 400)
    assert.equal(body.code, 'E_EXTERNAL_EMAIL_MISSING')
  })

  test('an identity takes over no user by {name}')
    .with([
      { name: 'an address it did not verify', here: true, there: false },
      { name: 'an address that its owner did not verify', here: false, there: true },
    ])
    .run(async ({ assert }, { here, there }) => {
      const victim = await createUser({ isVerified: here })
      hostile.behaviour = { claims: { email: victim.email, email_verified: there } }
      const { status, body } = await comeBack()
      assert.equal(status, 409)
      assert.equal(body.code, 'E_IDENTITY_CONFLICT')
      assert.lengthOf(await db.from('identities').where('user_id', victim.id), 0)
    })

  test('an address verified on both sides is linked', async ({ assert }) => {
    const user = await createUser({ isVerified: true })
    hostile.behaviour = { claims: { email: user.email.toUpperCase(), email_verified: true } }
    const { body } = await comeBack()
    assert.equal(body.user.id, user.id)
  })

  test('many first logins at once create one user', async ({ assert }) => {
    const email = someEmail()
    hostile.behaviour = { claims: { email, email_verified: true } }
    const answers = await Promise.all([comeBack(), comeBack(), comeBack(), comeBack()])
    const ids = new Set(answers.map(({ body }) => body.user?.id))
    assert.lengthOf(ids, 1, JSON.stringify(answers))
    assert.lengthOf(await User.query().where('email', email), 1)
  })

  test('an external login is stopped by {name}')
    .with([
      { name: 'a lock', change: { locked_until: 4_102_444_800_000 }, code: 'E_ACCOUNT_LOCKED' },
      { name: 'disabling', change: { disabled_at: 1 }, code: 'E_ACCOUNT_DISABLED' },
      { name: 'a second factor', change: { mfa_enabled: true }, code: 'E_MFA_REQUIRED' },
    ])
    .run(async ({ assert }, { change, code }) => {
      const user = await createUser({ isVerified: true })
      hostile.behaviour = { claims: { email: user.email, email_verified: true } }
      await db.from('users').where('id', user.id).update(change)
      const { body } = await comeBack()
      assert.equal(body.code, code)
      assert.notProperty(body, 'accessToken')
    })

  test('a signed-in user links and unlinks a provider', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    hostile.behaviour = { claims: { email: someEmail(), email_verified: false } }
    const browser = new TestBrowser()
    const link = await browser.request('/auth/external/hostile/link', { method: 'POST', headers })
    const { url } = (await link.json()) as { url: string }
    const { at } = await browser.follow(url, (each) => each.includes('/callback?'))
    const linked = await browser.request(at)
    assert.equal(linked.status, 200)
    const { body } = await comeBack()
    assert.equal(body.user.id, user.id)
    const unlinked = await client.delete('/auth/external/hostile/link').headers(headers)
    unlinked.assertStatus(200)
    const again = await client.delete('/auth/external/hostile/link').headers(headers)
    again.assertStatus(404)
  })

  /** Follows the link request of a session up to the callback. */
  async function linkAs(headers: Record<string, string>, body?: object) {
    const browser = new TestBrowser()
    const json = { ...headers, 'content-type': 'application/json' }
    const init = { method: 'POST', headers: json, body: JSON.stringify(body ?? {}) }
    const response = await browser.request('/auth/external/hostile/link', init)
    const answer: any = await response.json()
    if (response.status !== 200) return { browser, answer, callback: '' }
    const { at } = await browser.follow(answer.url, (each) => each.includes('/callback?'))
    return { browser, answer, callback: at }
  }

  test('of users who link one identity at once, one does', async ({ client, assert }) => {
    const sessions = []
    for (let count = 0; count < 4; count++)
      sessions.push(await signedIn(client, await createUser()))
    hostile.behaviour = { claims: { sub: randomUUID(), email: someEmail() } }
    const links = []
    for (const { headers } of sessions) links.push(await linkAs(headers))
    const answers = await Promise.all(
      links.map(({ browser, callback }) => browser.request(callback))
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 409, 409, 409])
  })

  test('an ended session links nothing', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const { browser, callback } = await linkAs(headers)
    await client.post('/auth/logout').headers(headers)
    const response = await browser.request(callback)
    assert.equal(response.status, 401)
    assert.lengthOf(await db.from('identities').where('user_id', user.id), 0)
  })

  test('an older session links with the password', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const { recentAuthenticationMs } = mfaSettings
    mfaSettings.recentAuthenticationMs = -1
    const bare = await linkAs(headers)
    const wrong = await linkAs(headers, { currentPassword: 'Wrong-h0rse!' })
    const { browser, callback } = await linkAs(headers, { currentPassword: PASSWORD })
    mfaSettings.recentAuthenticationMs = recentAuthenticationMs
    assert.equal(bare.answer.code, 'E_RECENT_LOGIN_REQUIRED')
    assert.equal(wrong.answer.code, 'E_INCORRECT_PASSWORD')
    const response = await browser.request(callback)
    assert.equal(response.status, 200)
  })

  test('a password reset removes identities of an unverified user', async ({ client, assert }) => {
    const owner = someEmail()
    hostile.behaviour = { claims: { email: owner, email_verified: false } }
    const { body } = await comeBack()
    assert.equal(body.user.email, owner)
    await client
      .post('/auth/forgot-password')
      .header('x-forwarded-for', someAddress())
      .json({ email: owner })
    const reset = await client
      .post('/auth/reset-password')
      .header('x-forwarded-for', someAddress())
      .json({ token: await mailedToken(owner, 'password_reset'), newPassword: PASSWORD })
    reset.assertStatus(200)
    const predecessor = await comeBack()
    assert.equal(predecessor.status, 409)
    const user = await User.findByOrFail('email', owner)
    assert.isNull(user.provider)
    const entered = await login(client, { email: owner })
    entered.assertStatus(200)
  })

  test('a state of another form is refused')
    .with([{ state: 'x' }, { state: '=;,'.repeat(15) }, { state: 'ä'.repeat(43) }])
    .run(async ({ client }, { state }) => {
      const response = await client.get('/auth/external/hostile/callback').qs({ state, code: 'x' })
      response.assertStatus(400)
    })

  test('the only way to sign in cannot be unlinked', async ({ client, assert }) => {
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const { body } = await comeBack()
    const response = await client
      .delete('/auth/external/hostile/link')
      .header('authorization', `Bearer ${body.accessToken}`)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_LAST_METHOD')
    const password = await login(client, { email: body.user.email })
    password.assertStatus(401)
  })

  test('a provider configured like Google signs in', async ({ assert }) => {
    const email = someEmail()
    hostile.behaviour = {
      claims: { email, email_verified: true, picture: 'https://lh3.example/a' },
    }
    const { status, body } = await comeBack(new TestBrowser(), 'google')
    assert.equal(status, 200, JSON.stringify(body))
    const user = await User.findByOrFail('email', email)
    assert.containsSubset(user.serialize(), { provider: 'google', avatar: 'https://lh3.example/a' })
  })
})

test.group('External login | GitHub', (group) => {
  const github = new HostileProvider(process.env.GITHUB_URL!)
  group.setup(() => github.start())
  group.teardown(() => github.stop() as Promise<void>)

  test('an answer without user signs no user in', async ({ assert }) => {
    const emails = [{ email: someEmail(), primary: true, verified: true }]
    github.behaviour = { github: { emails, status: 403 } }
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf('github'))
    assert.equal(response.status, 502)
    assert.isNull(await User.findBy('email', emails[0].email))
  })

  test('the primary address keeps its verification state', async ({ assert }) => {
    const email = someEmail()
    github.behaviour = {
      github: {
        emails: [
          { email: someEmail(), primary: false, verified: true },
          { email, primary: true, verified: true },
        ],
      },
    }
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf('github'))
    const body: any = await response.json()
    assert.equal(response.status, 200, JSON.stringify(body))
    const user = await User.findByOrFail('email', email)
    assert.containsSubset(user.serialize(), { provider: 'github', providerId: '4711' })
    assert.isTrue(user.isEmailVerified)
  })
})
