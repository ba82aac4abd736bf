import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { createSigner } from 'fast-jwt'
import env from '#start/env'
import { Jwt } from '#auth/tokens/jwt'
import { bearer, createUser, decodeClaims, decodeHeader, signedIn } from '#tests/support/fixtures'

type Claims = Record<string, any>

/** Signs a token with other claims correctly, as an attacker who knows the secret could. */
function resign(token: string, change: (claims: Claims) => Claims) {
  const { kid, typ } = decodeHeader(token)
  const ring = typ === 'rt+jwt' ? 'JWT_REFRESH_SECRETS' : 'JWT_ACCESS_SECRETS'
  const [key] = env.get(ring)
  const sign = createSigner({ key, kid, header: { alg: 'HS256', typ } })
  return sign(change(decodeClaims(token)))
}

const ODD_IDS = [
  { name: 'an object as sub', change: (claims: Claims) => ({ ...claims, sub: { a: 1 } }) },
  { name: 'a number as sub', change: (claims: Claims) => ({ ...claims, sub: 1 }) },
  { name: 'a sub that is no UUID', change: (claims: Claims) => ({ ...claims, sub: 'ada' }) },
  { name: 'an object as jti', change: (claims: Claims) => ({ ...claims, jti: { a: 1 } }) },
  { name: 'a number as jti', change: (claims: Claims) => ({ ...claims, jti: 1 }) },
  { name: 'null as jti', change: (claims: Claims) => ({ ...claims, jti: null }) },
]

const ODD_ACCESS_IDS = [
  ...ODD_IDS,
  { name: 'a jti without a session', change: (claims: Claims) => ({ ...claims, jti: 'x.y' }) },
]

const ODD_REFRESH_IDS = [
  ...ODD_IDS,
  { name: 'an object as session', change: (claims: Claims) => ({ ...claims, sessionId: {} }) },
  { name: 'a number as session', change: (claims: Claims) => ({ ...claims, sessionId: 1 }) },
  { name: 'a list as session', change: (claims: Claims) => ({ ...claims, sessionId: [1] }) },
]

test.group('Signed claims | ids', () => {
  test('an access token with {name} gets 401 alone')
    .with(ODD_ACCESS_IDS)
    .run(async ({ client, assert }, { change }) => {
      const good = await signedIn(client, await createUser())
      const headers = bearer(resign(good.accessToken, change))
      const profile = (each: object) => client.get('/auth/profile').headers(each as never)
      const answers = await Promise.all([good.headers, headers, good.headers].map(profile))
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [200, 401, 200]
      )
    })

  test('a refresh token with {name} gets 401 alone')
    .with(ODD_REFRESH_IDS)
    .run(async ({ client, assert }, { change }) => {
      const { refreshToken } = await signedIn(client, await createUser())
      const refresh = (token: string) => client.post('/auth/refresh').json({ refreshToken: token })
      const tokens = [refreshToken, resign(refreshToken, change), refreshToken]
      const answers = await Promise.all(tokens.map(refresh))
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [200, 401, 200]
      )
    })

  test('revoking a signed token with odd ids answers 400', async ({ client }) => {
    const { accessToken, headers } = await signedIn(client, await createUser())
    for (const { change } of ODD_ACCESS_IDS) {
      const token = resign(accessToken, change)
      const response = await client.post('/auth/revoke').headers(headers).json({ token })
      response.assertStatus(400)
    }
  })

  test('a re-signed token with the same claims is accepted', async ({ client }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const token = resign(accessToken, (claims) => ({ ...claims, nonce: randomUUID() }))
    const response = await client.get('/auth/profile').headers(bearer(token))
    response.assertStatus(200)
  })
})

/** The lifetime of an access token in the tests, in seconds. */
const TTL = 900

const REFUSED: { name: string; change: (claims: Claims) => Claims }[] = [
  { name: 'no issuer', change: ({ iss, ...claims }) => claims },
  { name: 'no audience', change: ({ aud, ...claims }) => claims },
  { name: 'another issuer', change: (claims) => ({ ...claims, iss: 'elsewhere' }) },
  { name: 'another audience', change: (claims) => ({ ...claims, aud: 'elsewhere' }) },
  { name: 'iat in 2 minutes', change: (claims) => ({ ...claims, iat: claims.iat + 120 }) },
  { name: 'exp a second late', change: (claims) => ({ ...claims, exp: claims.iat + TTL + 1 }) },
  { name: 'exp in a year', change: (claims) => ({ ...claims, exp: claims.iat + 31_536_000 }) },
]

test.group('Signed claims | issuer and times', () => {
  test('an access token with {name} gets 401')
    .with(REFUSED)
    .run(async ({ client }, { change }) => {
      const { accessToken } = await signedIn(client, await createUser())
      const token = resign(accessToken, change)
      const response = await client.get('/auth/profile').headers(bearer(token))
      response.assertStatus(401)
    })

  test('an access token of a clock 30 s ahead is accepted', async ({ client }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const token = resign(accessToken, ({ iat, exp, ...claims }) => ({
      ...claims,
      iat: iat + 30,
      exp: exp + 30,
    }))
    const response = await client.get('/auth/profile').headers(bearer(token))
    response.assertStatus(200)
  })

  test('a refresh token without issuer gets 401', async ({ client }) => {
    const { refreshToken } = await signedIn(client, await createUser())
    const forged = resign(refreshToken, ({ iss, ...claims }) => claims)
    const response = await client.post('/auth/refresh').json({ refreshToken: forged })
    response.assertStatus(401)
  })
})

test.group('Signed claims | a shorter TTL', () => {
  const settings = { secrets: env.get('JWT_REFRESH_SECRETS'), issuer: 'gatehouse' }
  const claims = { sub: randomUUID(), jti: randomUUID() }
  const jwt = (type: 'at+jwt' | 'rt+jwt', ttlMs: number) =>
    new Jwt({
      ...settings,
      type,
      ttlMs,
      isBoundToTtl: type === 'at+jwt',
      hasValidClaims: () => true,
    })

  test('refuses older access tokens, which can be refreshed', ({ assert }) => {
    const token = jwt('at+jwt', 900_000).issue(claims)
    assert.isNull(jwt('at+jwt', 300_000).verify(token))
    assert.isNotNull(jwt('at+jwt', 300_000).verifySignature(token))
  })

  test('a shorter TTL keeps older refresh tokens valid', ({ assert }) => {
    const token = jwt('rt+jwt', 604_800_000).issue(claims)
    assert.isNotNull(jwt('rt+jwt', 86_400_000).verify(token))
  })
})
