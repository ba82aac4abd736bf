import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  tokensOf,
} from '#tests/support/oidc'
import { allow, INTERACTION } from '#tests/support/client_documents'
import { provedOn } from '#tests/support/proved_on'
import { PUBLIC } from './attacker.ts'

provedOn('sqlite', 'Addresses are compared in memory; other files prove how clients are stored.')

const HTTP = 'http://10.0.0.5:8123/callback'
const SCHEME = 'com.example.app:/callback'
const LOOPBACK = 'http://127.0.0.1:51004/callback'

/** Makes a client with a secret, at an address of each kind. */
function clientAt(uri: string, given = {}) {
  const uris = { redirectUris: [uri], postLogoutRedirectUris: [uri] }
  return application({ kind: 'first_party', allowHttp: true, ...uris, ...given })
}

async function requestTo(uri: string, given = {}, parameters = {}) {
  const app = await clientAt(uri, given)
  const request = await authorizationRequest(app, { redirect_uri: uri, ...parameters })
  return { app, user: await createUser(), ...request }
}

test.group('Redirect addresses | a click before the code', () => {
  test('{$self} of a client with a secret needs one')
    .with([HTTP, 'http://nas.local/cb', 'http://grafana:3000/cb', 'http://a.localhost/cb', SCHEME])
    .run(async ({ assert }, uri) => {
      const { app, user, url, checks } = await requestTo(uri)
      const browser = await browserOf(user)
      const page = await browser.open(url)
      assert.match(page.url.pathname, INTERACTION)
      assert.include(page.html, 'Continue to Grafana')
      const { url: answer } = await allow(browser, page)
      const tokens = await oidc.authorizationCodeGrant(app.config, answer, checks)
      assert.equal(tokens.claims()!.sub, user.id)
    })

  test('the page of http names the host and says what is at stake', async ({ assert }) => {
    const { user, url } = await requestTo(HTTP)
    const browser = await browserOf(user)
    const { html } = await browser.open(url)
    assert.include(html, '10.0.0.5:8123')
    assert.include(html, 'is not encrypted')
  })

  test('prompt=none to {$self} is interaction_required')
    .with([HTTP, SCHEME])
    .run(async ({ assert }, uri) => {
      const { user, url } = await requestTo(uri, {}, { prompt: 'none' })
      const browser = await browserOf(user)
      const { url: answer } = await browser.open(url)
      assert.equal(answer.searchParams.get('error'), 'interaction_required')
    })

  test('a sign-in to {$self} is the click, and names the host')
    .with([HTTP, SCHEME])
    .run(async ({ assert }, uri) => {
      const { user, url } = await requestTo(uri)
      const browser = new Browser()
      const page = await browser.open(url)
      assert.include(page.html, uri === HTTP ? '10.0.0.5:8123' : 'com.example.app:')
      const credentials = { email: user.email, password: PASSWORD }
      const { url: answer } = await browser.submit(page, /^\/sign-in$/, credentials)
      assert.isNotNull(answer.searchParams.get('code'))
    })

  test('a confirmation for {$self} is the click, and names the host')
    .with([HTTP])
    .run(async ({ assert }, uri) => {
      const { user, url } = await requestTo(uri, {}, { prompt: 'login' })
      const browser = await browserOf(user)
      const page = await browser.open(url)
      assert.include(page.html, '10.0.0.5:8123')
      const { url: answer } = await browser.submit(page, /^\/confirm$/, { password: PASSWORD })
      assert.isNotNull(answer.searchParams.get('code'))
    })

  test('“Continue as …” for {$self} is the click, and names the host')
    .with([HTTP, SCHEME])
    .run(async ({ assert }, uri) => {
      const { user, url } = await requestTo(uri, {}, { prompt: 'select_account' })
      const browser = await browserOf(user)
      const page = await browser.open(url)
      assert.include(page.html, uri === HTTP ? '10.0.0.5:8123' : 'com.example.app:')
      assert.include(page.html, 'Continue as')
      const { url: answer } = await allow(browser, page)
      assert.isNotNull(answer.searchParams.get('code'))
    })

  test('a consent to http is the click, for that request', async ({ assert }) => {
    const { user, url } = await requestTo(HTTP, { kind: 'third_party' })
    const browser = await browserOf(user)
    const { url: answer } = await allow(browser, await browser.open(url))
    assert.isNotNull(answer.searchParams.get('code'))
    const again = await browser.open(url)
    assert.include(again.html, 'Continue to Grafana')
  })
})

test.group('Redirect addresses | compared', () => {
  test('a client with a secret has no other port of loopback', async ({ assert }) => {
    const { user, url } = await requestTo(LOOPBACK)
    url.searchParams.set('redirect_uri', LOOPBACK.replace('51004', '51005'))
    const browser = await browserOf(user)
    const page = await browser.open(url)
    assert.equal(page.response.status, 400)
    assert.include(page.html, 'Unknown address')
  })

  test('a client without one has any', async ({ assert }) => {
    const { user, url } = await requestTo(LOOPBACK, PUBLIC)
    url.searchParams.set('redirect_uri', LOOPBACK.replace('51004', '51005'))
    const browser = await browserOf(user)
    const { url: answer } = await allow(browser, await browser.open(url))
    assert.equal(answer.port, '51005')
  })

  test('{sent} is not {registered}')
    .with([
      { registered: HTTP, sent: 'http://10.0.0.5:8124/callback' },
      { registered: HTTP, sent: 'http://10.0.0.5.evil.com:8123/callback' },
      { registered: HTTP, sent: 'http://evil.com@10.0.0.5:8123/callback' },
      { registered: HTTP, sent: 'http://167772165:8123/callback' },
      { registered: 'http://nas.local/cb', sent: 'http://nas.local./cb' },
      { registered: 'http://nas.local/cb', sent: 'http://nas.local.evil.com/cb' },
      { registered: SCHEME, sent: 'com.example.app:/callback/' },
    ])
    .run(async ({ assert }, { registered, sent }) => {
      const { user, url } = await requestTo(registered)
      url.searchParams.set('redirect_uri', sent)
      const browser = await browserOf(user)
      const page = await browser.open(url)
      assert.equal(page.response.status, 400)
    })

  test('a sign-out leads back to {$self}')
    .with([HTTP, SCHEME, LOOPBACK])
    .run(async ({ assert }, uri) => {
      const app = await clientAt('https://app.example.org/callback', {
        postLogoutRedirectUris: [uri],
      })
      const browser = await browserOf(await createUser())
      const { id_token: hint } = await tokensOf(app, browser)
      const parameters = { id_token_hint: hint!, post_logout_redirect_uri: uri, state: 'x' }
      const { url } = await browser.open(oidc.buildEndSessionUrl(app.config, parameters))
      assert.equal(url.href, `${uri}?state=x`)
    })
})
