import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import { documents, openRequest, withDocuments } from '#tests/support/client_documents'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  REDIRECT,
  type Page,
} from '#tests/support/oidc'
import { attribute, formById } from '#tests/support/html'
import { post, PUBLIC } from './attacker.ts'

const FORM = { response_mode: 'form_post' }
const LOOPBACK = 'http://127.0.0.1:51004/callback'
const SCHEME = 'com.example.app:/callback'

const answerOf = ({ html }: Page) => formById(html, 'answer')

/** Returns the nonce in the format of the content security policy. */
function scriptNonceOf(html: string) {
  const [script] = /<script[^>]*form_post[^>]*>/.exec(html)!
  return `'nonce-${attribute(script, 'nonce')}'`
}

async function answered(parameters: Record<string, string> = {}, given = {}) {
  const app = await application({ kind: 'first_party', ...given })
  const request = await authorizationRequest(app, { ...FORM, ...parameters })
  const user = await createUser()
  const browser = await browserOf(user)
  const page = await browser.open(request.url)
  return { app, user, page, ...request }
}

test.group('Form post | answer', () => {
  test('a form carries the code that yields tokens', async ({ assert }) => {
    const { app, user, page, checks } = await answered()
    const { action, fields } = answerOf(page)
    assert.equal(action, REDIRECT)
    assert.sameMembers(Object.keys(fields), ['code', 'state', 'iss'])
    const body = new URLSearchParams(fields)
    const request = new Request(action, { method: 'POST', body })
    const tokens = await oidc.authorizationCodeGrant(app.config, request, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('its page allows its script and any redirect', async ({ assert }) => {
    const { page } = await answered()
    const { headers, status } = page.response
    const policy = headers.get('content-security-policy')!
    assert.equal(status, 200)
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, 'form-action')
    assert.notInclude(policy, 'unsafe')
    assert.include(policy, scriptNonceOf(page.html))
    assert.match(page.html, /<form id="answer"[\s\S]+<button/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'origin')
  })

  test('a sign-in and a consent lead to the form', async ({ assert }) => {
    const [app, user, browser] = [await application(), await createUser(), new Browser()]
    const { url } = await authorizationRequest(app, FORM)
    const credentials = { email: user.email, password: PASSWORD }
    const consent = await browser.submit(await browser.open(url), /^\/sign-in$/, credentials)
    const page = await browser.submit(consent, /interaction/, { decision: 'allow' })
    assert.property(answerOf(page).fields, 'code')
  })

  test('a pushed request is answered by the form', async ({ assert }) => {
    const app = await application(PUBLIC)
    const { url } = await authorizationRequest(app, FORM)
    const { body } = await post('/oauth/par', Object.fromEntries(url.searchParams))
    url.search = `${new URLSearchParams({ client_id: app.client.clientId, ...body })}`
    const browser = await browserOf(await createUser())
    const page = await browser.open(url)
    assert.property(answerOf(page).fields, 'code')
  })

  test('a client on loopback gets the form', async ({ assert }) => {
    const redirect = { redirect_uri: LOOPBACK }
    const { page } = await answered(redirect, { redirectUris: [LOOPBACK] })
    assert.equal(answerOf(page).action, LOOPBACK)
  })

  test('nothing else leads to the page', async ({ client }) => {
    const response = await client.get('/oauth/answer')
    response.assertStatus(404)
  })
})

test.group('Form post | errors', () => {
  test('{error} comes by the form')
    .with([
      { error: 'login_required', parameters: { prompt: 'none', max_age: '0' } },
      { error: 'invalid_request', parameters: { code_challenge_method: 'plain' } },
      { error: 'unsupported_response_type', parameters: { response_type: 'code id_token' } },
    ])
    .run(async ({ assert }, { error, parameters }) => {
      const { page, checks } = await answered(parameters as unknown as Record<string, string>)
      const { action, fields } = answerOf(page)
      assert.equal(action, REDIRECT)
      assert.containsSubset(fields, { error, iss: settings.issuer, state: checks.expectedState })
      assert.notProperty(fields, 'code')
    })

  test('a refusal comes by the form', async ({ assert }) => {
    const app = await application()
    const { url } = await authorizationRequest(app, FORM)
    const browser = await browserOf(await createUser())
    const consent = await browser.open(url)
    const page = await browser.submit(consent, /interaction/, { decision: 'refuse' })
    assert.equal(answerOf(page).fields.error, 'access_denied')
  })

  test('an app gets invalid_request by its query', async ({ assert }) => {
    const given = { ...PUBLIC, redirectUris: [SCHEME] }
    const { page, checks } = await answered({ redirect_uri: SCHEME }, given)
    assert.equal(page.url.protocol, 'com.example.app:')
    assert.equal(page.url.searchParams.get('error'), 'invalid_request')
    assert.equal(page.url.searchParams.get('state'), checks.expectedState)
  })

  test('an http address of a private network gets invalid_request by its query', async ({
    assert,
  }) => {
    const uri = 'http://10.0.0.5/callback'
    const given = { redirectUris: [uri], allowHttp: true }
    const { page } = await answered({ redirect_uri: uri }, given)
    assert.equal(page.url.host, '10.0.0.5')
    assert.equal(page.url.searchParams.get('error'), 'invalid_request')
  })

  test('an app gets any earlier error by its query', async ({ assert }) => {
    const given = { ...PUBLIC, redirectUris: [SCHEME] }
    const { page } = await answered({ redirect_uri: SCHEME, request: 'x.y.z' }, given)
    assert.equal(page.url.searchParams.get('error'), 'request_not_supported')
  })

  test('an app cannot push it', async ({ assert }) => {
    const app = await application({ ...PUBLIC, redirectUris: [SCHEME] })
    const { url } = await authorizationRequest(app, { ...FORM, redirect_uri: SCHEME })
    const { status, body } = await post('/oauth/par', Object.fromEntries(url.searchParams))
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
  })

  test('no form goes to an address that is not registered', async ({ assert }) => {
    const { page } = await answered({ redirect_uri: 'https://evil.example/callback' })
    assert.equal(page.response.status, 400)
    assert.notInclude(page.html, 'id="answer"')
    assert.include(page.html, 'Unknown address')
  })
})

test.group('Form post | hostile values', (group) => {
  withDocuments(group)

  test('a state is posted as it came: {$self}')
    .with([
      '"><script>alert(1)</script>',
      "' onmouseover='alert(1)",
      '{{ 7 * 7 }} @{{ 7 }} {{{ 7 }}}',
      '&quot;&amp;&lt;',
      '</form><form action="https://evil.example">',
      'javascript:alert(1)//مرحبا 🙂',
    ])
    .run(async ({ assert }, state) => {
      const { page } = await answered({ state })
      const { fields, action } = answerOf(page)
      assert.equal(fields.state, state)
      assert.equal(action, REDIRECT)
      assert.lengthOf(page.html.match(/<script/g)!, 2)
      assert.lengthOf(page.html.match(/<form/g)!, 1)
    })

  test('a name and an address are text', async ({ assert }) => {
    const redirectUri = `${REDIRECT}?a=1&b='2'&c=%22`
    const given = { name: '<b>"Grafana"</b> {{ 7 }}', redirectUris: [redirectUri] }
    const { page } = await answered({ redirect_uri: redirectUri }, given)
    assert.equal(answerOf(page).action, redirectUri)
    assert.include(page.html, '&lt;b&gt;')
    assert.notInclude(page.html, '<b>"')
  })

  test('an untrusted client gets no form with an error', async ({ assert }) => {
    const clientId = documents.serve('/client.json')
    const page = await openRequest(new Browser(), clientId, { ...FORM, prompt: 'none' })
    assert.equal(page.response.status, 400)
    assert.notInclude(page.html, 'id="answer"')
  })
})
