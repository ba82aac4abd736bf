import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import Identity from '#models/identity'
import User from '#models/user'
import { PASSWORD, signedIn, someEmail } from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { HostileProvider, type Behaviour } from '#tests/servers/hostile_provider'
import { TestBrowser } from './browser.ts'

const seconds = () => Math.floor(Date.now() / 1_000)

type Claims = NonNullable<Behaviour['claims']>

/** The time at which the provider says it last authenticated the person. */
const AGES: Record<string, { authTime: () => unknown; isRecent: boolean }> = {
  'this moment': { authTime: seconds, isRecent: true },
  'an hour before': { authTime: () => seconds() - 3_600, isRecent: false },
  'half a minute ahead': { authTime: () => seconds() + 30, isRecent: true },
  'two minutes ahead': { authTime: () => seconds() + 120, isRecent: false },
  'nothing': { authTime: () => undefined, isRecent: false },
}

test.group('External login | reauthentication', (group) => {
  const hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  const github = new HostileProvider(process.env.GITHUB_URL!)
  group.each.setup(() => {
    const emails = [{ email: someEmail(), primary: true, verified: true }]
    github.behaviour = { github: { emails } }
  })
  group.setup(() => Promise.all([hostile.start(), github.start()]) as Promise<any>)
  group.teardown(() => Promise.all([hostile.stop(), github.stop()]) as Promise<any>)

  /** Returns the claims of a person who has signed in at the provider before. */
  function someone(): Claims {
    return { sub: randomUUID(), email: someEmail(), email_verified: true }
  }

  /** Signs in by API and uses the token for a change that needs a recent login. */
  async function changeAfter(provider: string, query = '', atProvider = () => {}) {
    const browser = new TestBrowser()
    const url = await browser.callbackOf(provider, query)
    atProvider()
    const callback = await browser.request(url)
    const { accessToken, code } = (await callback.json()) as any
    if (!accessToken) return { callback: callback.status, code }
    const headers = { 'authorization': `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const change = await browser.request('/auth/mfa/setup', { method: 'POST', headers, body: '{}' })
    return { callback: callback.status, change: change.status }
  }

  test('asks the provider to ask again, and otherwise only when it did', async ({ assert }) => {
    const sent = async (query: string) => {
      const response = await new TestBrowser().request(`/auth/external/hostile${query}`)
      const { searchParams } = new URL(response.headers.get('location')!)
      return [searchParams.get('max_age'), searchParams.get('prompt')]
    }
    assert.deepEqual(await sent('?prompt=login'), ['0', 'login'])
    assert.deepEqual(await sent('?next=/account&prompt=login'), ['0', 'login'])
    assert.deepEqual(await sent(''), ['31536000', null])
  })

  for (const [age, { authTime, isRecent }] of Object.entries(AGES)) {
    test(`a sign-in counts by what the provider says: ${age}`, async ({ assert }) => {
      hostile.behaviour = { claims: { ...someone(), auth_time: authTime() } }
      const { callback, change } = await changeAfter('hostile')
      assert.equal(callback, 200)
      assert.equal(change, isRecent ? 200 : 403)
    })

    test(`a confirmation is held to it: ${age}`, async ({ assert }) => {
      const claims: Claims = someone()
      hostile.behaviour = { claims }
      const signIn = () => void (claims.auth_time = authTime())
      const { callback, code, change } = await changeAfter('hostile', '?prompt=login', signIn)
      assert.equal(callback, isRecent ? 200 : 403)
      if (isRecent) assert.equal(change, 200)
      else assert.equal(code, 'E_EXTERNAL_NOT_RECENT')
    })
  }

  test('a second before the request is too old', async ({ assert }) => {
    hostile.behaviour = { claims: { ...someone(), auth_time: seconds() - 1 } }
    const { callback } = await changeAfter('hostile', '?prompt=login')
    assert.equal(callback, 403)
  })

  /** Signs a browser in to the pages by a provider that did not just authenticate the person. */
  async function signedInAt(provider: string) {
    const claims: Claims = { ...someone(), auth_time: seconds() - 3_600 }
    hostile.behaviour = { claims }
    const browser = new TestBrowser()
    const start = `?next=${encodeURIComponent('/account/data')}`
    await browser.request(await browser.callbackOf(provider, start))
    await browser.request('/sign-in/external')
    return { browser, claims }
  }

  test('an open session at the provider confirms nothing on a page', async ({ assert }) => {
    const { browser } = await signedInAt('hostile')
    const asked = await browser.submit('/account/data', {}, '/account/data/begin')
    const [, href] = /href="([^"]*prompt=login)"/.exec(await asked.text())!
    const { response: callback } = await browser.follow(href.replaceAll('&amp;', '&'))
    assert.equal(asked.status, 403)
    assert.equal(callback.status, 403)
    assert.include(await callback.text(), 'did not ask again who you are')
    const account = await browser.request('/account')
    assert.equal(account.status, 200)
  })

  test('who signs in at the provider again has confirmed', async ({ assert }) => {
    const { browser, claims } = await signedInAt('hostile')
    hostile.behaviour = { claims: { ...claims, auth_time: seconds() } }
    const query = '?prompt=login&next=/account/data'
    await browser.request(await browser.callbackOf('hostile', query))
    await browser.request('/sign-in/external')
    const begun = await browser.submit('/account/data', {}, '/account/data/begin')
    assert.notEqual(begun.status, 403)
  })

  test('GitHub confirms nothing, and a mailed password does', async ({ client, assert }) => {
    const { browser } = await signedInAt('github')
    const asked = await browser.submit('/account/data', {}, '/account/data/begin')
    const page = await asked.text()
    assert.equal(asked.status, 403)
    assert.notInclude(page, '/auth/external/github')
    assert.include(page, 'GitHub cannot confirm this')
    assert.include(page, 'href="/forgot-password"')
    const forced = await client.get('/auth/external/github?prompt=login').redirects(0)
    assert.equal(forced.body().code, 'E_EXTERNAL_NOT_RECENT')
    assert.deepEqual(await changeAfter('github'), { callback: 200, change: 403 })
    const { userId } = await Identity.findByOrFail('subject', '4711')
    const user = await User.findOrFail(userId)
    await client.post('/auth/forgot-password').json({ email: user.email })
    const token = await mailedToken(user.email, 'password_reset')
    await client.post('/auth/reset-password').json({ token, password: PASSWORD })
    const { headers } = await signedIn(client, user)
    const change = await client.post('/auth/mfa/setup').headers(headers).json({})
    change.assertStatus(200)
  })
})
