import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { updateClient } from '#oidc/clients/clients'
import { createUser } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  REDIRECT,
  tokensOf,
  type Application,
} from '#tests/support/oidc'
import { post, PUBLIC } from './attacker.ts'

const FIRST = { kind: 'first_party' } as const
const SCHEME = 'com.example.app:/callback'
const VERIFIER = oidc.randomPKCECodeVerifier()

/** Makes a client with a secret, whose library does not support PKCE. */
async function withoutPkce(given = {}): Promise<Application> {
  return { ...(await application({ ...FIRST, ...given })), lacksPkce: true }
}

async function answerTo(app: Application, parameters: Record<string, string> = {}) {
  const { url, checks, verifier } = await authorizationRequest(app, parameters)
  const user = await createUser()
  const browser = await browserOf(user)
  const { url: answer } = await browser.open(url)
  return { answer, checks, verifier, user, code: answer.searchParams.get('code')! }
}

/** Returns the response to a token request with this code. */
async function redeem(app: Application, code: string, parameters: Record<string, string> = {}) {
  const secret = `${app.client.clientId}:${app.clientSecret}`
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...parameters }
  const authorization = `Basic ${Buffer.from(secret).toString('base64')}`
  const { status, body } = await post('/oauth/token', form, { authorization })
  return status === 200 ? 'tokens' : body.error
}

test.group('PKCE | without it', () => {
  test('a client with a secret signs people in', async ({ assert }) => {
    const user = await createUser()
    const tokens = await tokensOf(await withoutPkce(), await browserOf(user))
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('no request of {what} goes on')
    .with([
      { what: 'a client that requires it', given: { requirePkce: true }, uri: REDIRECT },
      { what: 'a client without a secret', given: PUBLIC, uri: REDIRECT },
      { what: 'an app with a secret', given: { redirectUris: [SCHEME] }, uri: SCHEME },
    ])
    .run(async ({ assert }, { given, uri }) => {
      const { answer } = await answerTo(await withoutPkce(given), { redirect_uri: uri })
      assert.equal(answer.searchParams.get('error'), 'invalid_request')
      assert.isNull(answer.searchParams.get('code'))
    })

  test('no pushed request goes on where it is required', async ({ assert }) => {
    const app = await withoutPkce({ requirePkce: true })
    const { url } = await authorizationRequest(app)
    const secret = { client_secret: app.clientSecret! }
    const form = { ...Object.fromEntries(url.searchParams), ...secret }
    const { status, body } = await post('/oauth/par', form)
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
  })

  test('a change of requirePkce counts at once', async ({ assert }) => {
    const app = await withoutPkce()
    await updateClient(app.client.id, { requirePkce: true }, SYSTEM)
    const { answer } = await answerTo(app)
    assert.equal(answer.searchParams.get('error'), 'invalid_request')
  })
})

test.group('PKCE | sent though it is not required', () => {
  const optional = () => application(FIRST)

  test('the code needs {what}: {outcome}')
    .with([
      { what: 'its verifier', outcome: 'tokens' },
      { what: 'a verifier', outcome: 'invalid_grant' },
      { what: 'the right verifier', outcome: 'invalid_grant' },
    ])
    .run(async ({ assert }, { what, outcome }) => {
      const app = await optional()
      const { code, verifier } = await answerTo(app)
      const sent = { 'its verifier': verifier, 'a verifier': '', 'the right verifier': VERIFIER }
      const given = sent[what as keyof typeof sent]
      assert.equal(await redeem(app, code, given ? { code_verifier: given } : {}), outcome)
    })

  test('{what} is refused')
    .with([
      { what: 'plain', change: { code_challenge_method: 'plain', code_challenge: VERIFIER } },
      { what: 'plain by default', change: { code_challenge: VERIFIER } },
      { what: 'a method alone', change: { code_challenge_method: 'S256' } },
      { what: 'a short challenge', change: { code_challenge: 'x', code_challenge_method: 'S256' } },
    ])
    .run(async ({ assert }, { change }) => {
      const parameters = change as unknown as Record<string, string>
      const { answer } = await answerTo(await withoutPkce(), parameters)
      assert.equal(answer.searchParams.get('error'), 'invalid_request')
    })

  test('a verifier is refused where no challenge was sent', async ({ assert }) => {
    const app = await withoutPkce()
    const { code } = await answerTo(app)
    assert.equal(await redeem(app, code, { code_verifier: VERIFIER }), 'invalid_grant')
  })

  test('an attacker who strips the challenge gains nothing', async ({ assert }) => {
    const app = await optional()
    const { url, checks } = await authorizationRequest(app)
    for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
    const browser = await browserOf(await createUser())
    const { url: answer } = await browser.open(url)
    await assert.rejects(() => oidc.authorizationCodeGrant(app.config, answer, checks))
  })
})

test.group('PKCE | attacks on a client without it', () => {
  test('a stolen code is good for its client and address alone', async ({ assert }) => {
    const redirectUris = [REDIRECT, `${REDIRECT}/other`]
    const [app, other] = [await withoutPkce({ redirectUris }), await withoutPkce()]
    const { code } = await answerTo(app)
    assert.equal(await redeem(other, code), 'invalid_grant')
    assert.equal(await redeem(app, code, { redirect_uri: redirectUris[1] }), 'invalid_grant')
    const wrongSecret = { ...app, clientSecret: other.clientSecret }
    assert.equal(await redeem(wrongSecret, code), 'invalid_client')
    assert.equal(await redeem(app, code), 'tokens')
  })

  test('a code needs the secret of its client', async ({ assert }) => {
    const app = await withoutPkce()
    const { code } = await answerTo(app)
    const { clientId } = app.client
    const form = { grant_type: 'authorization_code', client_id: clientId, code }
    const { status, body } = await post('/oauth/token', { ...form, redirect_uri: REDIRECT })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  })

  test('an injected code is found by its nonce', async ({ assert }) => {
    const app = await withoutPkce()
    const [attacker, victim] = [await answerTo(app), await answerTo(app)]
    victim.answer.searchParams.set('code', attacker.code)
    await assert.rejects(
      () => oidc.authorizationCodeGrant(app.config, victim.answer, victim.checks),
      'unexpected JWT claim value encountered'
    )
  })

  test('an answer names its issuer, so that no other is taken for it', async ({ assert }) => {
    const { answer } = await answerTo(await withoutPkce())
    assert.equal(answer.searchParams.get('iss'), settings.issuer)
  })
})
