import { test } from '@japa/runner'
import settings from '#config/oidc'
import { createUser } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  REDIRECT,
  throughProxy,
} from '#tests/support/oidc'
import { codeOf, post, PUBLIC } from './attacker.ts'

/* Attacks by somebody who has read the source code. */

test.group('Attack | redirect address', () => {
  const registered = 'https://app.example.org/callback'

  test('{$self} is not the registered one')
    .with([
      `${registered}/`,
      `${registered}?x=1`,
      `${registered}#x`,
      `${registered}/../evil`,
      `${registered}%2f..`,
      'https://app.example.org/CALLBACK',
      'https://APP.example.org/callback',
      'https://app.example.org:443/callback',
      'https://app.example.org:8443/callback',
      'https://app.example.org@evil.example/callback',
      'https://app.example.org.evil.example/callback',
      'https://evil.example\\@app.example.org/callback',
      'https://evil.example/https://app.example.org/callback',
      'http://app.example.org/callback',
      '//app.example.org/callback',
      'javascript:alert(1)//https://app.example.org/callback',
      ` ${registered}`,
      `${registered}\n`,
    ])
    .run(async ({ assert }, uri) => {
      const { url } = await authorizationRequest(await application(PUBLIC), { redirect_uri: uri })
      const page = await new Browser().open(url)
      assert.equal(page.url.origin, settings.issuer)
      assert.equal(page.response.status, 400)
    })

  test('two of them are refused', async ({ assert }) => {
    const { url } = await authorizationRequest(await application(PUBLIC))
    const page = await new Browser().open(`${url}&redirect_uri=https://evil.example/`)
    assert.equal(page.response.status, 400)
  })

  test('the app may not redirect to {$self}')
    .with([
      'http://127.0.0.1:1234/callback/../evil',
      'http://127.0.0.1:1234@evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.2:1234/callback',
      'http://localhost:1234/callback',
      'http://[::1]:1234/callback',
      'https://127.0.0.1:1234/callback',
    ])
    .run(async ({ assert }, uri) => {
      const app = await application({ ...PUBLIC, redirectUris: ['http://127.0.0.1/callback'] })
      const { url } = await authorizationRequest(app, { redirect_uri: uri })
      const page = await new Browser().open(url)
      assert.equal(page.url.origin, settings.issuer)
      assert.equal(page.response.status, 400)
    })
})

test.group('Attack | code', () => {
  test('redeemed {what} it is worth nothing, and good afterwards')
    .with([
      { what: 'without a verifier', change: { code_verifier: '' } },
      { what: 'with a short verifier', change: { code_verifier: 'a'.repeat(42) } },
      { what: 'for another address', change: { redirect_uri: `${REDIRECT}2` } },
      { what: 'for no address', change: { redirect_uri: '' } },
    ])
    .run(async ({ assert }, { change }) => {
      const right = await codeOf(await application(PUBLIC))
      const wrong = await post('/oauth/token', { ...right, ...(change as object) })
      assert.equal(wrong.status, 400)
      const { status } = await post('/oauth/token', right)
      assert.equal(status, 200)
    })

  test('without S256 there is none: {parameters}')
    .with([
      { parameters: { code_challenge_method: 'plain' } },
      { parameters: { code_challenge_method: '' } },
      { parameters: { code_challenge: '' } },
      { parameters: { code_challenge: '', code_challenge_method: '' } },
    ])
    .run(async ({ assert }, { parameters }) => {
      const { url } = await authorizationRequest(await application(PUBLIC))
      for (const [name, value] of Object.entries(parameters)) {
        if (value) url.searchParams.set(name, value)
        else url.searchParams.delete(name)
      }
      const browser = await browserOf(await createUser())
      const answer = await browser.open(url)
      assert.isNull(answer.url.searchParams.get('code'))
      assert.equal(answer.url.searchParams.get('error'), 'invalid_request')
    })

  test('a client with a secret cannot go without', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const right = await codeOf(app)
    const { status, body } = await post('/oauth/token', right)
    assert.equal(status, 401)
    assert.equal(body.error, 'invalid_client')
  })

  test('a pushed request of another client is none', async ({ assert }) => {
    const [own, other] = await Promise.all([application(PUBLIC), application(PUBLIC)])
    const { url } = await authorizationRequest(own)
    const pushed = await post('/oauth/par', Object.fromEntries(url.searchParams))
    const stolen = new URL(url)
    stolen.search = `${new URLSearchParams({
      client_id: other.client.clientId,
      request_uri: pushed.body.request_uri,
    })}`
    const browser = await browserOf(await createUser())
    const page = await browser.open(stolen)
    assert.equal(page.url.origin, settings.issuer)
    assert.equal(page.response.status, 400)
  })
})

test.group('Attack | nonsense', () => {
  test('{method} {path} answers {status}')
    .with([
      { method: 'GET', path: '/oauth/authorize?client_id=%00', status: 400 },
      { method: 'GET', path: '/oauth/authorize?client_id=%F0%9F%92%A9', status: 400 },
      { method: 'GET', path: `/oauth/authorize?client_id=${'x'.repeat(5_000)}`, status: 400 },
      { method: 'GET', path: '/oauth/authorize?client_id=a&client_id=b', status: 400 },
      { method: 'GET', path: '/oauth/authorize?client_id[]=a', status: 400 },
      { method: 'GET', path: '/oauth/authorize/x', status: 400 },
      { method: 'GET', path: '/oauth/token', status: 405 },
      { method: 'PUT', path: '/oauth/token', status: 405 },
      { method: 'DELETE', path: '/oauth/authorize', status: 405 },
    ])
    .run(async ({ assert }, { method, path, status }) => {
      const response = await throughProxy(`${settings.issuer}${path}`, { method })
      assert.equal(response.status, status, await response.text())
    })
})
