import { test } from '@japa/runner'
import settings from '#config/oidc'
import { clearAddressThrottle } from '#auth/lockout/address_throttle'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest, Browser, browserOf } from '#tests/support/oidc'
import { PUBLIC } from './attacker.ts'

/* Attacks by somebody who has read the source code. */

const INTERACTION = /^\/oauth\/interaction\//

test.group('Attack | pages', () => {
  async function consentPage() {
    const browser = await browserOf(await createUser())
    const { url } = await authorizationRequest(await application())
    return { browser, page: await browser.open(url) }
  }

  test('a consent cannot be framed, kept or read elsewhere', async ({ assert }) => {
    const { page } = await consentPage()
    const { headers } = page.response
    assert.include(headers.get('content-security-policy'), "frame-ancestors 'none'")
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.match(headers.get('cache-control')!, /no-store/)
    assert.isNull(headers.get('access-control-allow-origin'))
  })

  test('the interaction of another person can be neither answered nor resumed', async ({
    assert,
  }) => {
    const victim = await consentPage()
    const attacker = await consentPage()
    const stolen = victim.page.url.pathname
    const page = {
      ...attacker.page,
      html: attacker.page.html.replace(attacker.page.url.pathname, stolen),
    }
    const answer = await attacker.browser.submit(page, INTERACTION, { decision: 'allow' })
    assert.equal(answer.response.status, 404)
    const resumed = await attacker.browser.open(
      `${settings.issuer}${stolen.replace('interaction', 'authorize')}`
    )
    assert.equal(resumed.url.origin, settings.issuer)
    assert.notEqual(resumed.url.pathname, stolen)
    assert.isNull(resumed.url.searchParams.get('code'))
  })

  test('a cookie of an interaction is for its path, and no script', async ({ assert }) => {
    const { url } = await authorizationRequest(await application())
    const browser = await browserOf(await createUser())
    const response = await browser.request(url)
    const cookies = response.headers.getSetCookie()
    assert.isNotEmpty(cookies)
    for (const cookie of cookies) {
      assert.match(cookie, /; path=\/oauth\/(interaction|authorize)\/[\w-]+;/)
      assert.match(cookie, /; samesite=lax; httponly/i)
    }
  })

  test('{path} takes no form without its token')
    .with([
      { path: '/oauth/device' },
      { path: '/oauth/device/answer' },
      { path: '/oauth/logout/confirm' },
      { path: '/account/applications/withdraw' },
    ])
    .run(async ({ assert }, { path }) => {
      const browser = await browserOf(await createUser())
      const body = new URLSearchParams({ user_code: 'ABCD', decision: 'allow', client_id: 'x' })
      const response = await browser.request(`${settings.issuer}${path}`, { method: 'POST', body })
      assert.equal(response.status, 403)
    })

  test('without a question there is none but an error: {error}')
    .with([
      { error: 'login_required', isSignedIn: false },
      { error: 'consent_required', isSignedIn: true },
    ])
    .run(async ({ assert }, { error, isSignedIn }) => {
      const browser = isSignedIn ? await browserOf(await createUser()) : new Browser()
      const { url } = await authorizationRequest(await application(), { prompt: 'none' })
      const answer = await browser.open(url)
      assert.equal(answer.url.searchParams.get('error'), error)
    })
})

test.group('Attack | code of a device', () => {
  test('the 31st guess in a quarter of an hour by {path} is not looked at')
    .with([
      { path: '/oauth/device' },
      { path: '/oauth/device/answer' },
      { path: '/oauth/device/address' },
      { path: '/oauth/device/address/resend' },
      { path: '/oauth/device/address/change' },
    ])
    .run(async ({ assert }, { path }) => {
      const browser = await browserOf(await createUser())
      const page = await browser.open(`${settings.issuer}/oauth/device`)
      const html = page.html.replace('action="/oauth/device"', `action="${path}"`)
      const action = new RegExp(`^${path}$`)
      await clearAddressThrottle('redeem', '127.0.0.1')
      const guess = async (code: string) => {
        const fields = { user_code: code }
        const { response } = await browser.submit({ ...page, html }, action, fields)
        return response.status
      }
      const statuses: number[] = []
      for (let count = 0; count < 31; count++) statuses.push(await guess(`WRONG${count}`))
      await clearAddressThrottle('redeem', '127.0.0.1')
      assert.deepEqual([statuses.at(-2), statuses.at(-1)], [422, 429])
    })

  test('a link with a code alone allows no device', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const page = await browser.open(`${settings.issuer}/oauth/device?user_code=<b>ABCD-EFGH`)
    assert.equal(page.response.status, 200)
    assert.include(page.html, 'value="&lt;b&gt;ABCD-EFGH"')
    assert.notInclude(page.html, 'decision')
  })
})

test.group('Attack | after a logout', () => {
  test('{$self} is not gone to')
    .with([
      'https://app.example.org/goodbye/',
      'https://app.example.org/goodbye?x',
      'https://app.example.org/callback',
      'https://app.example.org@evil.example/goodbye',
      'https://app.example.org.evil.example/goodbye',
      '//evil.example/goodbye',
      'javascript:alert(1)',
    ])
    .run(async ({ assert }, uri) => {
      const goodbye = { postLogoutRedirectUris: ['https://app.example.org/goodbye'] }
      const { client } = await application({ ...PUBLIC, ...goodbye })
      const parameters = { client_id: client.clientId, post_logout_redirect_uri: uri }
      const url = `${settings.issuer}/oauth/logout?${new URLSearchParams(parameters)}`
      const page = await new Browser().open(url)
      assert.equal(page.url.origin, settings.issuer)
      assert.equal(page.response.status, 400)
    })

  test('an address without its client is not gone to', async ({ assert }) => {
    const parameters = { post_logout_redirect_uri: 'https://evil.example/' }
    const url = `${settings.issuer}/oauth/logout?${new URLSearchParams(parameters)}`
    const page = await new Browser().open(url)
    assert.equal(page.url.origin, settings.issuer)
    assert.notInclude(page.html, 'evil.example')
  })
})
