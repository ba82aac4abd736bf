import { randomUUID } from 'node:crypto'
import { freezeTime, test } from '@japa/runner'
import { cookieName } from '#config/cookies'
import settings from '#config/external'
import User from '#models/user'
import { lockUser } from '#users/lock_user'
import { listSessions } from '#auth/sessions/sessions'
import { SYSTEM } from '#audit/actor'
import { pendingCookies } from '#http/authorization_request_cookie'
import { createUser } from '#tests/support/fixtures'
import { OpenIdProvider } from '#tests/servers/openid'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { signInAtProvider, TestBrowser } from './browser.ts'

const acme = new OpenIdProvider(
  process.env.OIDC_ACME_ISSUER!,
  `${process.env.APP_URL}/auth/external/acme/callback`
)

const START = '/auth/external/acme?next=%2Faccount%3Ftab%3D1'

const RETURN = '?returnTo=http://app.gatehouse.test/welcome'

/** Signs in at the provider from a page, up to the callback that stores the outcome. */
async function returned(name: string, browser = new TestBrowser(), start = START) {
  const callback = await browser.request(await signInAtProvider(browser, start, name))
  return { browser, callback }
}

function someName() {
  return `ada-${randomUUID().slice(0, 8)}`
}

/** Makes a user who has signed in with the provider before. */
async function knownUser() {
  const { name } = await signedInBrowser()
  return { name, user: await User.findByOrFail('email', `${name}@example.org`) }
}

async function signedInBrowser() {
  const name = someName()
  const { browser } = await returned(name)
  await browser.request('/sign-in/external')
  return { browser, name }
}

test.group('External login | pages', (group) => {
  group.setup(() => acme.start())
  group.teardown(() => acme.stop() as Promise<void>)

  test('ends in a session at the page asked for', async ({ assert }) => {
    const name = someName()
    const { browser, callback } = await returned(name)
    const response = await browser.request('/sign-in/external')
    const account = await browser.request('/account')
    assert.equal(callback.headers.get('location'), '/sign-in/external')
    assert.equal(response.headers.get('location'), '/account?tab=1')
    assert.include(await account.text(), `${name}@example.org`)
  })

  test('starts the session of no other browser', async ({ assert }) => {
    const { browser: attacker } = await returned(someName())
    const victim = new TestBrowser()
    const response = await victim.request('/sign-in/external')
    assert.equal(response.headers.get('location'), '/sign-in')
    const own = await attacker.request('/sign-in/external')
    assert.equal(own.status, 303)
  })

  test('works once, however often the cookie is sent', async ({ assert }) => {
    const { browser } = await returned(someName())
    const copy = browser.copy()
    const first = await browser.request('/sign-in/external')
    const again = await copy.request('/sign-in/external')
    assert.equal(first.headers.get('location'), '/account?tab=1')
    assert.equal(again.status, 400)
  })

  test('works for a minute', async ({ assert }) => {
    const { browser } = await returned(someName())
    const late = browser.copy()
    freezeTime(new Date(Date.now() + settings.codeTtlMs + 1))
    const response = await late.request('/sign-in/external')
    assert.equal(response.headers.get('location'), '/sign-in')
  })

  test('asks a user with a second factor for the code', async ({ assert }) => {
    const { name, user } = await knownUser()
    const code = await giveSecondFactor(user)
    const { browser } = await returned(name)
    const page = await browser.request('/sign-in/external')
    const html = await page.text()
    const [, mfaToken] = /name="mfaToken" value="([^"]+)/.exec(html)!
    const fields = { mfaToken, code, next: '/account?tab=1' }
    const response = await browser.submit('/sign-in', fields, '/sign-in/code')
    assert.include(html, 'value="/account?tab=1"')
    assert.equal(response.headers.get('location'), '/account?tab=1')
  })

  test('tells who locked the account of a provider’s user', async ({ assert }) => {
    const { name, user } = await knownUser()
    await lockUser(user.id, Date.now() + 3_600_000, SYSTEM)
    const before = await listSessions(user.id)
    const { browser } = await returned(name)
    const page = await browser.request('/sign-in/external')
    assert.equal(page.status, 403)
    assert.include(await page.text(), 'An administrator has locked this account')
    assert.lengthOf(await listSessions(user.id), before.length)
  })

  test('tells a conflict of addresses at the sign-in', async ({ assert }) => {
    const name = someName()
    await createUser({ email: `${name}@example.org`, isVerified: false })
    const { browser } = await returned(name)
    const page = await browser.request('/sign-in/external')
    assert.equal(page.status, 409)
  })

  test('never leads away from the site', async ({ assert }) => {
    const start = `/auth/external/acme?next=${encodeURIComponent('//evil.example')}`
    const { browser } = await returned(someName(), new TestBrowser(), start)
    const response = await browser.request('/sign-in/external')
    assert.equal(response.headers.get('location'), '/account')
  })

  test('another site cannot replace a session: {site}')
    .with([{ site: 'cross-site' }, { site: 'same-site' }])
    .run(async ({ assert }, { site }) => {
      const { browser, name } = await signedInBrowser()
      const led = await browser.request(START, { headers: { 'sec-fetch-site': site } })
      const path = led.headers.get('location')!
      const page = await browser.request(path)
      const html = await page.text()
      assert.equal(path, START.replace('/auth/', '/sign-in/'))
      assert.lengthOf(led.headers.getSetCookie(), 0)
      assert.include(html, `${name}@example.org`)
      assert.include(html, `href="${START}"`)
    })

  test('a reauthentication of another site stays one', async ({ assert }) => {
    const { browser } = await signedInBrowser()
    const start = `${START}&prompt=login`
    const led = await browser.request(start, { headers: { 'sec-fetch-site': 'cross-site' } })
    const page = await browser.request(led.headers.get('location')!)
    assert.include(await page.text(), `href="${start.replace('&', '&amp;')}"`)
  })

  test('{entry} starts a login at once: {path}')
    .with([
      { entry: 'a page of this site', path: START, site: 'same-origin' },
      { entry: 'a bookmark', path: START, site: 'none' },
      { entry: 'an old browser', path: START, site: null },
      { entry: 'an application', path: `/auth/external/acme${RETURN}`, site: 'cross-site' },
    ])
    .run(async ({ assert }, { path, site }) => {
      const { browser } = await signedInBrowser()
      const headers = site ? { 'sec-fetch-site': site } : undefined
      const response = await browser.request(path, { headers })
      const to = response.headers.get('location')!
      assert.isTrue(to.startsWith(acme.issuer), to)
    })

  test('another site starts a login where no user is signed in', async ({ assert }) => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const response = await new TestBrowser().request(START, { headers })
    const to = response.headers.get('location')!
    assert.isTrue(to.startsWith(acme.issuer), to)
  })

  test('nothing is asked about an unknown provider', async ({ client }) => {
    const response = await client.get('/sign-in/external/nobody')
    response.assertStatus(404)
  })

  test('is offered beside the password', async ({ client, assert }) => {
    const response = await client.get('/sign-in').qs({ next: '/account/data' })
    const html = response.text()
    assert.include(html, 'href="/auth/external/acme?next=%2Faccount%2Fdata"')
    assert.include(html, 'Continue with GitHub')
  })

  test('logins that another site starts leave room for requests', async ({ assert }) => {
    const browser = new TestBrowser()
    const start = `/auth/external/acme?next=/${'x'.repeat(1_900)}`
    for (let number = 0; number < 8; number++) await browser.request(start)
    const page = await browser.request(`/sign-in?next=/${'x'.repeat(1_900)}`)
    assert.equal(page.status, 200)
  })

  test('a cookie of blanks is read once', ({ assert }) => {
    const cookie = `a=${' '.repeat(200_000)}b; ${cookieName('external_')}abcdefghijkl=c=d`
    const startedAt = performance.now()
    const found = pendingCookies(cookie)
    assert.deepEqual(
      found.map(({ bytes }) => bytes - cookieName('external_').length),
      [15]
    )
    // Trying every pair of blanks would take half a minute.
    assert.isBelow(performance.now() - startedAt, 5_000)
  })

  test('two tabs sign in at the same time', async ({ assert }) => {
    const [name, browser] = [someName(), new TestBrowser()]
    const first = await signInAtProvider(browser, START, name)
    await browser.follow(START, (url) => url.startsWith(acme.issuer))
    const callback = await browser.request(first)
    assert.equal(callback.headers.get('location'), '/sign-in/external')
  })
})
