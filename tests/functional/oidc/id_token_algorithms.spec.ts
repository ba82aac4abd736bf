import { test } from '@japa/runner'
import * as jose from 'jose'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { deleteClient, updateClient } from '#oidc/clients/clients'
import { createAdmin, createUser, decodeHeader, signedIn } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { application, browserOf, throughProxy, tokensOf } from '#tests/support/oidc'
import { signWith } from '#tests/support/signing_keys'
import type { JWTVerifyOptions } from 'jose'

/* What an application verifies is signed with its algorithm, whatever signs access tokens. */

const EACH = ID_TOKEN_ALGORITHMS.map((algorithm) => ({ algorithm }))
const AFTER = 'https://app.example.org/goodbye'
const RESOURCE = 'https://mcp.example.org'

async function published() {
  const response = await throughProxy(`${settings.issuer}/.well-known/jwks.json`)
  return (await response.json()) as jose.JSONWebKeySet
}

async function verify(jwt: string, options: JWTVerifyOptions) {
  const keys = jose.createLocalJWKSet(await published())
  return jose.jwtVerify(jwt, keys, { issuer: settings.issuer, ...options })
}

async function firstParty(given: object) {
  const app = await application({ kind: 'first_party', ...given })
  const user = await createUser()
  return { app, user, browser: await browserOf(user) }
}

test.group('ID token algorithm | each', (group) => {
  signWith(group, 'HS256')

  test('an ID token is signed with {algorithm}')
    .with(EACH)
    .run(async ({ assert }, { algorithm }) => {
      const { app, browser } = await firstParty({ idTokenAlgorithm: algorithm })
      const tokens = await tokensOf(app, browser)
      const audience = app.client.clientId
      const { payload } = await verify(tokens.id_token!, { audience, algorithms: [algorithm] })
      assert.properties(payload, ['sid', 'auth_time'])
    })

  test('a token for another service is signed with {algorithm}, and active')
    .with(EACH)
    .run(async ({ client, assert }, { algorithm }) => {
      const { app, browser } = await firstParty({ idTokenAlgorithm: algorithm })
      const { access_token: token } = await tokensOf(app, browser, { resource: RESOURCE })
      const expected = { audience: RESOURCE, typ: 'at+jwt', algorithms: [algorithm] }
      await verify(token, expected)
      const request = client.post('/oauth/introspect').form({ token })
      const answer = await request.basicAuth(app.client.clientId, app.clientSecret!)
      assert.isTrue(answer.body().active)
    })

  test('a hint with {algorithm} signs out, although the client has another by now')
    .with(EACH)
    .run(async ({ assert }, { algorithm }) => {
      const given = { idTokenAlgorithm: algorithm, postLogoutRedirectUris: [AFTER] }
      const { app, browser } = await firstParty(given)
      const { id_token: hint } = await tokensOf(app, browser)
      const other = ID_TOKEN_ALGORITHMS.find((each) => each !== algorithm)
      await updateClient(app.client.id, { idTokenAlgorithm: other }, SYSTEM)
      const query = { id_token_hint: hint!, post_logout_redirect_uri: AFTER }
      const page = await browser.open(
        `${settings.issuer}/oauth/logout?${new URLSearchParams(query)}`
      )
      assert.notEqual(page.response.status, 400)
    })

  test('a logout token is signed with {algorithm}, of a deleted client too')
    .with(EACH)
    .run(async ({ assert, cleanup }, { algorithm }) => {
      const listener = await logoutListener({})
      cleanup(listener.close)
      const given = { idTokenAlgorithm: algorithm, backchannelLogoutUri: listener.uri }
      const { app, browser, user } = await firstParty(given)
      await tokensOf(app, browser)
      await endAllSessionsAs(user.id, SYSTEM)
      await sendLogoutTokens()
      await tokensOf(app, await browserOf(user))
      await deleteClient(app.client.id, SYSTEM)
      await sendLogoutTokens()
      assert.lengthOf(listener.told, 2)
      for (const token of listener.told) {
        await verify(token, { typ: 'logout+jwt', algorithms: [algorithm] })
      }
    })
})

test.group('ID token algorithm | keys', (group) => {
  signWith(group, 'HS256')

  test('the key of {algorithm} is published before the client is answered')
    .with(EACH)
    .run(async ({ client, assert }, { algorithm }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const given = { name: 'Grafana', redirectUris: [AFTER], idTokenAlgorithm: algorithm }
      const answer = await client.post('/oauth-clients').headers(headers).json(given)
      answer.assertStatus(201)
      const { keys } = await published()
      assert.includeMembers(
        keys.map(({ alg }) => alg),
        [algorithm]
      )
    })

  test('applications at once have each the key of its algorithm', async ({ assert }) => {
    const scenes = await Promise.all(
      ID_TOKEN_ALGORITHMS.map((idTokenAlgorithm) => firstParty({ idTokenAlgorithm }))
    )
    const rounds = Array.from({ length: 4 }, () => scenes).flat()
    const tokens = await Promise.all(
      rounds.map(async ({ app, user }) => ({
        expected: app.client.idTokenAlgorithm,
        token: await tokensOf(app, await browserOf(user)),
      }))
    )
    for (const { expected, token } of tokens) {
      assert.equal(decodeHeader(token.id_token!).alg, expected)
      await verify(token.id_token!, {})
    }
  })
})
