import { createHmac, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { test, timeTravel } from '@japa/runner'
import { createLocalJWKSet, jwtVerify, calculateJwkThumbprint } from 'jose'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/signing_keys'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { readAccessToken } from '#auth/tokens/access_tokens'
import { inspectToken } from '#auth/tokens/inspection'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import {
  bearer,
  createAdmin,
  createUser,
  decodeClaims,
  decodeHeader,
  keyOf,
  login,
  signedIn,
} from '#tests/support/fixtures'
import { asOtherProcess, forge, signWith, API_ALONE } from '#tests/support/signing_keys'
import type { ApiClient } from '@japa/api-client'

const profile = (client: ApiClient, token: string) =>
  client.get('/auth/profile').headers(bearer(token))

const jwks = (client: ApiClient) => client.get('/.well-known/jwks.json')

for (const algorithm of ['ES256', 'EdDSA'] as const) {
  test.group(`Signing keys | ${algorithm}`, (group) => {
    signWith(group, algorithm, API_ALONE)

    test('jose verifies a token with the published key', async ({ client, assert }) => {
      const user = await createUser()
      const { accessToken } = await signedIn(client, user)
      const response = await jwks(client)
      response.assertStatus(200)
      const { payload, protectedHeader } = await jwtVerify(
        accessToken,
        createLocalJWKSet(response.body()),
        {
          algorithms: [algorithm],
          typ: 'at+jwt',
          issuer: process.env.APP_URL,
          audience: process.env.APP_URL,
        }
      )
      assert.equal(payload.sub, user.id)
      assert.sameMembers(Object.keys(protectedHeader), ['alg', 'typ', 'kid'])
    })

    test('the token names key, issuer and audience', async ({ client, assert }) => {
      const { accessToken } = await signedIn(client, await createUser())
      const { body } = await jwks(client).then((response) => ({ body: response.body() }))
      const [key] = body.keys
      assert.equal(decodeHeader(accessToken).kid, await calculateJwkThumbprint(key))
      const { iss, aud, role, email } = decodeClaims(accessToken)
      assert.deepEqual([iss, aud], [settings.issuer, settings.audience])
      assert.isString(role)
      assert.isString(email)
    })

    test('the profile accepts the token, a refresh too', async ({ client, assert }) => {
      const { accessToken, refreshToken } = await signedIn(client, await createUser())
      const answer = await profile(client, accessToken)
      answer.assertStatus(200)
      assert.equal(decodeHeader(refreshToken).alg, 'HS256')
      const refreshed = await client.post('/auth/refresh').json({ refreshToken })
      const again = await profile(client, refreshed.body().accessToken)
      again.assertStatus(200)
      assert.equal(decodeHeader(refreshed.body().accessToken).alg, algorithm)
    })

    test('a revoked token and an ended session are refused', async ({ client }) => {
      const user = await createUser()
      const [one, other] = [await signedIn(client, user), await signedIn(client, user)]
      await client.post('/auth/revoke').headers(one.headers)
      await client.post('/auth/logout').headers(other.headers)
      for (const { accessToken } of [one, other]) {
        const answer = await profile(client, accessToken)
        answer.assertStatus(401)
      }
    })

    test('an expired token is refused', async ({ client, assert }) => {
      const { accessToken } = await signedIn(client, await createUser())
      timeTravel(tokens.accessTtlMs + 1_000)
      const answer = await profile(client, accessToken)
      answer.assertStatus(401)
      assert.isNotNull(await readAccessToken(accessToken))
    })
  })
}

const STATES: { name: string; change: object | null }[] = [
  { name: 'disabled', change: { disabled_at: 1 } },
  { name: 'deleted', change: null },
]

test.group('Signing keys | users', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('a token of a {name} user is refused at once')
    .with(STATES)
    .run(async ({ client }, { change }) => {
      const user = await createUser()
      const { accessToken } = await signedIn(client, user)
      const before = await profile(client, accessToken)
      before.assertStatus(200)
      const row = db.from('users').where('id', user.id)
      await (change ? row.update(change) : row.delete())
      const after = await profile(client, accessToken)
      after.assertStatus(401)
    })

  test('a locked user gets no token and keeps the present one', async ({ client }) => {
    const user = await createUser()
    const { accessToken } = await signedIn(client, user)
    const until = Date.now() + 60_000
    await db.from('users').where('id', user.id).update({ locked_until: until, lock_kind: 'admin' })
    const refused = await login(client, { email: user.email })
    refused.assertStatus(403)
    const kept = await profile(client, accessToken)
    kept.assertStatus(200)
  })
})

type Forgery = (token: string) => Promise<string> | string

function changed(header: object, claims: object = {}): Forgery {
  return (token) => {
    const given = decodeHeader(token)
    return forge(given.kid, { ...given, ...header }, { ...decodeClaims(token), ...claims })
  }
}

/** HMAC whose secret is the public key, which anybody knows (RFC 8725, section 2.1). */
async function confuseAlgorithms(token: string) {
  const { kid } = decodeHeader(token)
  const row = await db.from('signing_keys').where({ kid }).firstOrFail()
  const key = createPublicKey({ key: JSON.parse(row.public_jwk), format: 'jwk' })
  const secret = key.export({ type: 'spki', format: 'pem' })
  const header = Buffer.from(JSON.stringify({ ...decodeHeader(token), alg: 'HS256' }))
  const input = `${header.toString('base64url')}.${token.split('.')[1]}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const FORGERIES: { name: string; make: Forgery }[] = [
  { name: 'HMAC of the public key', make: confuseAlgorithms },
  { name: 'the other algorithm', make: changed({ alg: 'EdDSA' }) },
  { name: 'no algorithm', make: changed({ alg: 'none' }) },
  { name: 'an address of keys', make: changed({ jku: 'https://elsewhere.example/keys' }) },
  { name: 'a certificate address', make: changed({ x5u: 'https://elsewhere.example/cert' }) },
  { name: 'a key of its own', make: changed({ jwk: { kty: 'EC' } }) },
  { name: 'a critical extension', make: changed({ crit: ['b64'], b64: false }) },
  { name: 'another type', make: changed({ typ: 'JWT' }) },
  { name: 'another issuer', make: changed({}, { iss: 'https://elsewhere.example' }) },
  { name: 'another audience', make: changed({}, { aud: 'https://elsewhere.example' }) },
  { name: 'a list of other audiences', make: changed({}, { aud: ['https://elsewhere.example'] }) },
  { name: 'a number as role', make: changed({}, { role: 1 }) },
  { name: 'a number as sub', make: changed({}, { sub: 1 }) },
  { name: 'a text as exp', make: changed({}, { exp: '9999999999' }) },
  {
    name: 'a longer life',
    make: changed({}, { exp: Math.floor(Date.now() / 1_000) + 31_536_000 }),
  },
  { name: 'a jti without session', make: changed({}, { jti: 'x.y' }) },
]

test.group('Signing keys | forged tokens', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('a token with {name} is refused')
    .with(FORGERIES)
    .run(async ({ client }, { make }) => {
      const { accessToken } = await signedIn(client, await createUser())
      const answer = await profile(client, await make(accessToken))
      answer.assertStatus(401)
      const good = await profile(client, accessToken)
      good.assertStatus(200)
    })

  test('the same claims signed again are accepted', async ({ client }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const answer = await profile(client, await changed({}, { nonce: randomUUID() })(accessToken))
    answer.assertStatus(200)
  })

  test('invented key ids cost a query a second', async ({ client, assert }) => {
    settings.reloadPauseMs = 1_000
    const { accessToken } = await signedIn(client, await createUser())
    const [, claims, signature] = accessToken.split('.')
    const invent = () => {
      const kid = randomBytes(32).toString('base64url')
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid }))
      return `${header.toString('base64url')}.${claims}.${signature}`
    }
    let queries = 0
    const count = ({ sql }: { sql: string }) => (queries += Number(sql.includes('signing_keys')))
    const connection = db.connection().getReadClient()
    connection.on('query', count)
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 60 }, () => profile(client, invent())))
    connection.off('query', count)
    assert.isTrue(answers.every((answer) => answer.status() === 401))
    assert.isAtMost(queries, 2 + (performance.now() - startedAt) / settings.reloadPauseMs)
  })
})

test.group('Signing keys | switch', (group) => {
  signWith(group, 'HS256', API_ALONE)

  test('the keys may be read from pages of any origin', async ({ assert }) => {
    const path = `http://127.0.0.1:${process.env.PORT}/.well-known/jwks.json`
    const asked = { 'origin': 'https://app.example.org', 'access-control-request-method': 'GET' }
    const { status, headers } = await fetch(path, { method: 'OPTIONS', headers: asked })
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*'])
    assert.include(headers.get('access-control-allow-methods'), 'GET')
    assert.isNull(headers.get('access-control-allow-credentials'))
  })

  test('HS256 publishes no keys and names the setting', async ({ client, assert }) => {
    await signedIn(client, await createUser())
    const response = await jwks(client)
    response.assertStatus(404)
    assert.equal(response.body().code, 'E_NO_PUBLIC_KEYS')
    assert.include(response.body().message, 'ACCESS_TOKEN_ALGORITHM')
    assert.equal(response.header('access-control-allow-origin'), '*')
  })

  test('tokens of either side of a switch are accepted', async ({ client, assert }) => {
    const user = await createUser()
    const before = await signedIn(client, user)
    settings.algorithm = 'ES256'
    const during = await signedIn(client, user)
    const first = await profile(client, before.accessToken)
    first.assertStatus(200)
    settings.algorithm = 'HS256'
    const second = await profile(client, during.accessToken)
    second.assertStatus(200)
    for (const { refreshToken } of [before, during]) {
      const refreshed = await client.post('/auth/refresh').json({ refreshToken })
      refreshed.assertStatus(200)
      assert.equal(decodeHeader(refreshed.body().accessToken).alg, 'HS256')
    }
  })

  test('back on HS256 keys stay until the last token ends', async ({ client }) => {
    settings.algorithm = 'ES256'
    await signedIn(client, await createUser())
    settings.algorithm = 'HS256'
    timeTravel(tokens.accessTtlMs - 1_000)
    const present = await jwks(client)
    present.assertStatus(200)
    timeTravel(settings.reservationMs + 2_000)
    const gone = await jwks(client)
    gone.assertStatus(404)
  })

  test('the earlier key signs again after HS256', async ({ client, assert }) => {
    const user = await createUser()
    settings.algorithm = 'ES256'
    const before = await signedIn(client, user)
    settings.algorithm = 'HS256'
    await signedIn(client, user)
    settings.algorithm = 'ES256'
    const after = await signedIn(client, user)
    assert.equal(decodeHeader(after.accessToken).kid, decodeHeader(before.accessToken).kid)
  })
})

test.group('Signing keys | document', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('the document may be cached by everybody', async ({ client, assert }) => {
    const response = await jwks(client)
    response.assertStatus(200)
    assert.equal(response.header('cache-control'), 'public, max-age=300')
    assert.equal(response.header('access-control-allow-origin'), '*')
    assert.equal(response.header('cross-origin-resource-policy'), 'cross-origin')
    const again = await jwks(client).header('if-none-match', response.header('etag')!)
    again.assertStatus(304)
    await rotateKeys(SYSTEM)
    const other = await jwks(client).header('if-none-match', response.header('etag')!)
    other.assertStatus(200)
  })

  test('the document has no private part', async ({ client, assert }) => {
    const response = await jwks(client)
    for (const key of response.body().keys) assert.notProperty(key, 'd')
  })

  test('nothing private is readable in the database', async ({ client, assert }) => {
    await signedIn(client, await createUser())
    const [row] = await db.from('signing_keys')
    assert.notMatch(JSON.stringify(row), /PRIVATE KEY|"d":/)
    assert.isAbove(row.private_key.length, 100)
  })
})

test.group('Signing keys | revoked', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('tokens of a revoked key are refused, sessions go on', async ({ client, assert }) => {
    const { accessToken, refreshToken } = await signedIn(client, await createUser())
    const { kid } = decodeHeader(accessToken)
    await revokeKey(kid, SYSTEM)
    const answer = await profile(client, accessToken)
    answer.assertStatus(401)
    const document = await jwks(client)
    assert.notInclude(
      document.body().keys.map((key: { kid: string }) => key.kid),
      kid
    )
    const refreshed = await client.post('/auth/refresh').json({ refreshToken })
    const again = await profile(client, refreshed.body().accessToken)
    again.assertStatus(200)
    const { reason } = await inspectToken(accessToken)
    assert.match(reason, /^Its key was revoked/)
  })

  test('introspection says active, and no longer so', async ({ client, assert }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
    const ask = () => client.post('/oauth/introspect').headers(headers).form({ token: accessToken })
    const before = await ask()
    const { active, iss, aud } = before.body()
    assert.deepEqual([active, iss, aud], [true, settings.issuer, settings.audience])
    await revokeKey(decodeHeader(accessToken).kid, SYSTEM)
    const after = await ask()
    assert.deepEqual(after.body(), { active: false })
  })

  test('another process refuses them within the time', async ({ client }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const now = Date.now()
    await db
      .from('signing_keys')
      .where('kid', decodeHeader(accessToken).kid)
      .update({ revoked_at: now, private_key: null })
    timeTravel(settings.freshMs + 1)
    const answer = await profile(client, accessToken)
    answer.assertStatus(401)
  })

  test('a key of another process is learnt at its first token', async ({ client }) => {
    const user = await createUser()
    await signedIn(client, user)
    const { accessToken } = await signedIn(client, user)
    await rotateKeys(SYSTEM, { isImmediate: true })
    const other = await signedIn(client, user)
    asOtherProcess()
    for (const token of [accessToken, other.accessToken]) {
      const answer = await profile(client, token)
      answer.assertStatus(200)
    }
  })
})
