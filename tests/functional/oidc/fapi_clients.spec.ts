import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser, decodeHeader } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  pushedRequest,
  REDIRECT,
  tokensOf,
} from '#tests/support/oidc'
import { clientKey, FAPI, strongClient } from '#tests/support/strong_clients'
import type { DPoPHandle } from 'openid-client'

/* Clients that push their requests and bind their tokens, with the library openid-client. */

test.group('FAPI 2.0 | a sign-in', () => {
  test('pushes, proves and refreshes with a bound token', async ({ assert }) => {
    const key = await clientKey('PS256')
    const scene = await strongClient(key, { ...FAPI, scopes: ['openid', 'offline_access'] })
    const { config } = scene
    const app = { ...scene, clientSecret: null }
    const browser = await browserOf(await createUser())
    const { url, verifier } = await pushedRequest(app, { scope: 'openid offline_access' })
    const answer = await browser.open(url)
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'))
    const checks = { pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks, undefined, {
      DPoP,
    })
    assert.equal(tokens.token_type, 'dpop')
    assert.equal(decodeHeader(tokens.id_token!).alg, 'ES256')
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP })
    const { sub } = tokens.claims()!
    const userinfo = await oidc.fetchUserInfo(config, renewed.access_token, sub, { DPoP })
    assert.equal(userinfo.sub, sub)
  })
})

/** Returns the error with which a request of the application fails. */
async function errorOf(request: Promise<unknown>) {
  return request.then(
    () => 'none',
    (error) => error.error ?? error.cause?.error ?? String(error)
  )
}

async function redeem(app: Awaited<ReturnType<typeof application>>, dpop?: DPoPHandle) {
  const { url, verifier } = await pushedRequest(app)
  const browser = await browserOf(await createUser())
  const answer = await browser.open(url)
  const checks = { pkceCodeVerifier: verifier, idTokenExpected: true }
  const options = dpop ? { DPoP: dpop } : undefined
  return oidc.authorizationCodeGrant(app.config, answer.url, checks, undefined, options)
}

test.group('Client | what it requires of itself', () => {
  test('requirePar refuses a request that was not pushed', async ({ assert }) => {
    const app = await application({ kind: 'first_party', requirePar: true })
    const browser = await browserOf(await createUser())
    const { url } = await authorizationRequest(app)
    const { url: landed, response } = await browser.open(url)
    const isRefused = landed.searchParams.get('error') === 'invalid_request'
    assert.isTrue(isRefused || response.status === 400)
    assert.isFalse(landed.searchParams.has('code'))
    const pushed = await pushedRequest(app)
    const answer = await browser.open(pushed.url)
    assert.isTrue(answer.url.searchParams.has('code'))
  })

  test('requireDpop refuses a token that is not bound', async ({ assert }) => {
    const app = await application({ kind: 'first_party', requireDpop: true })
    assert.notEqual(await errorOf(redeem(app)), 'none')
    const proof = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair('ES256'))
    const { token_type: type } = await redeem(app, proof)
    assert.equal(type, 'dpop')
  })

  test('neither is asked of other clients', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const { token_type: type } = await tokensOf(app, await browserOf(await createUser()))
    assert.equal(type, 'bearer')
  })

  test('a client of FAPI 2.0 needs a challenge, whatever its setting', async ({ assert }) => {
    const scene = await strongClient(await clientKey(), { ...FAPI, requirePkce: false })
    const parameters = { redirect_uri: REDIRECT, scope: 'openid', state: 'x' }
    const error = await errorOf(oidc.buildAuthorizationUrlWithPAR(scene.config, parameters))
    assert.equal(error, 'invalid_request')
  })
})
