import { createHash, randomUUID } from 'node:crypto'
import { freezeTime, test, timeTravel } from '@japa/runner'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import limits from '#config/limits'
import settings from '#config/oidc'
import { oidcProvider } from '#oidc/provider/provider'
import { SYSTEM } from '#audit/actor'
import { addServiceAccount } from '#users/service_accounts'
import { createUser } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import {
  application,
  authorizationRequest,
  browserOf,
  REDIRECT,
  throughProxy,
} from '#tests/support/oidc'
import { post, PUBLIC } from './attacker.ts'

/* Proofs of possession, each of which is valid one time (RFC 9449, section 11.1). */

async function possession() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  /** @param ahead how far the clock of the client is ahead, in seconds */
  return (claims: Record<string, unknown>, ahead = 0) =>
    new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1_000) + ahead, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey)
}

/** Returns a token that is bound to a key, and a function that gets userinfo with a proof. */
async function boundToken() {
  const [app, prove] = [await application(PUBLIC), await possession()]
  const { url, verifier } = await authorizationRequest(app)
  const browser = await browserOf(await createUser())
  const answer = await browser.open(url)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: app.client.clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    code: answer.url.searchParams.get('code')!,
  })
  const token = `${settings.issuer}/oauth/token`
  const headers = { dpop: await prove({ htm: 'POST', htu: token }) }
  const response = await throughProxy(token, { method: 'POST', body, headers })
  const { access_token: accessToken } = (await response.json()) as { access_token: string }
  return { prove, accessToken }
}

async function userinfo(accessToken: string, dpop: string) {
  const headers = { authorization: `DPoP ${accessToken}`, dpop }
  const response = await throughProxy(`${settings.issuer}/oauth/userinfo`, { headers })
  return response.status
}

async function proofFor(ahead: number) {
  const { accessToken, proof } = await proofs()
  return { accessToken, dpop: await proof(ahead) }
}

async function proofs() {
  const { prove, accessToken } = await boundToken()
  const ath = createHash('sha256').update(accessToken).digest('base64url')
  const htu = `${settings.issuer}/oauth/userinfo`
  return { accessToken, proof: (ahead = 0) => prove({ htm: 'GET', htu, ath }, ahead) }
}

test.group('DPoP proof | used again', () => {
  test('a proof {ahead} s ahead is refused after {later} s')
    .with([
      { ahead: 0, later: 1 },
      { ahead: 299, later: 301 },
      { ahead: 299, later: 598 },
    ])
    .run(async ({ assert }, { ahead, later }) => {
      freezeTime()
      const { accessToken, dpop } = await proofFor(ahead)
      const first = await userinfo(accessToken, dpop)
      timeTravel(later * 1_000)
      const second = await userinfo(accessToken, dpop)
      assert.deepEqual([first, second], [200, 401])
    })

  test('proof {number} of a session in a minute is answered {status}')
    .with([
      { number: 2, status: 200 },
      { number: 3, status: 429 },
    ])
    .run(async ({ assert }, { number, status }) => {
      setLimit(limits.userinfoProof, 2)
      const { accessToken, proof } = await proofs()
      let answered = 0
      for (let count = 1; count <= number; count++) {
        answered = await userinfo(accessToken, await proof())
      }
      assert.equal(answered, status)
    })

  test('proof {number} of a client for its tokens is answered {status}')
    .with([
      { number: 2, status: 200 },
      { number: 3, status: 429 },
    ])
    .run(async ({ assert }, { number, status }) => {
      setLimit(limits.tokenProof, 2)
      const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
      const grantTypes = ['client_credentials' as const]
      const given = { grantTypes, redirectUris: [], serviceAccountId: account.id }
      const { client, clientSecret } = await application(given)
      const prove = await possession()
      const credentials = { client_id: client.clientId, client_secret: clientSecret! }
      const asked = { ...credentials, grant_type: 'client_credentials' }
      const claims = { htm: 'POST', htu: `${settings.issuer}/oauth/token` }
      let answer!: Awaited<ReturnType<typeof post>>
      for (let count = 1; count <= number; count++)
        answer = await post('/oauth/token', asked, { dpop: await prove(claims) })
      assert.equal(answer.status, status)
      if (status === 429) assert.equal(answer.body.error, 'slow_down')
    })

  test('of ten notes of a proof at once one is the first', async ({ assert }) => {
    const { ReplayDetection } = oidcProvider()
    const jti = randomUUID()
    const exp = Math.floor(Date.now() / 1_000) + 60
    const notes = Array.from({ length: 10 }, () => ReplayDetection.unique('client', jti, exp))
    const results = await Promise.all(notes)
    assert.lengthOf(results.filter(Boolean), 1)
  })
})
