import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import store from '#auth/store/service'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'

const AFTER = 'https://app.example.org/goodbye'

/** A form that another site sends: without a cookie, with each parameter of the address. */
function posted({ origin, pathname, searchParams }: URL) {
  return [`${origin}${pathname}`, { method: 'POST', body: searchParams }] as const
}

test.group('OpenID provider | posted requests', () => {
  test('an authorization goes on as a GET', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ kind: 'first_party' })
    const { url, checks } = await authorizationRequest(app)
    const browser = await browserOf(user)
    const answer = await browser.open(...posted(url))
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('a parameter that comes twice comes twice', async ({ client, assert }) => {
    const body = 'client_id=a&resource=https%3A%2F%2Fx.example&resource=b%26c%3Dd'
    const response = await client
      .post('/oauth/authorize')
      .redirects(0)
      .header('content-type', 'application/x-www-form-urlencoded')
      .setup((request) => void request.request.send(body))
    response.assertStatus(303)
    assert.equal(response.header('location'), `/oauth/authorize?${body}`)
  })

  test('another type than a form is refused', async ({ client }) => {
    const response = await client.post('/oauth/authorize').json({ client_id: 'a' })
    response.assertStatus(415)
  })

  test('{characters} characters are answered {status}')
    .with([
      { characters: 7_000, status: 303 },
      { characters: 7_001, status: 413 },
    ])
    .run(async ({ client }, { characters, status }) => {
      const form = { client_id: 'a'.repeat(characters - 'client_id='.length) }
      const response = await client.post('/oauth/authorize').redirects(0).form(form)
      response.assertStatus(status)
    })

  test('a logout by a hint is done at once', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ kind: 'first_party', postLogoutRedirectUris: [AFTER] })
    const browser = await browserOf(user)
    const { id_token: hint } = await tokensOf(app, browser)
    const parameters = { id_token_hint: hint!, post_logout_redirect_uri: AFTER }
    const url = oidc.buildEndSessionUrl(app.config, parameters)
    const answer = await browser.open(...posted(url))
    assert.equal(answer.url.href, AFTER)
    assert.lengthOf(await store.listSessions(user.id, Date.now()), 0)
  })
})
