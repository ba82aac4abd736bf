import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import * as jose from 'jose'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { rotateSecret, updateClient } from '#oidc/clients/clients'
import { createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import {
  assertionOf,
  ASSERTION_TYPE,
  byAssertion,
  clientKey,
  FAPI,
  now,
  strongClient,
  type StrongClient,
} from '#tests/support/strong_clients'
import { post } from './attacker.ts'

const ENDPOINTS: { path: string; form: Record<string, string> }[] = [
  { path: '/oauth/token', form: { grant_type: 'refresh_token', refresh_token: 'x' } },
  { path: '/oauth/introspect', form: { token: 'x' } },
  { path: '/oauth/revoke', form: { token: 'x' } },
  { path: '/oauth/par', form: { response_type: 'code', scope: 'openid' } },
]

/** Returns whether the client is authenticated, whatever follows. */
async function authenticates(path: string, parameters: Record<string, string>) {
  const { form } = ENDPOINTS.find((each) => each.path === path)!
  const { status, body } = await post(path, { ...form, ...parameters })
  return status !== 401 && body?.error !== 'invalid_client'
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'].map((alg) => ({ alg }))

test.group('Client assertion | accepted', () => {
  test('with {alg} at each endpoint')
    .with(ALGORITHMS)
    .run(async ({ assert }, { alg }) => {
      const scene = await strongClient(await clientKey(alg))
      for (const { path } of ENDPOINTS) {
        assert.isTrue(await authenticates(path, byAssertion(await assertionOf(scene))), path)
      }
    })

  test('for {name}, at the issuer and the endpoints')
    .with([
      { name: 'the issuer', path: '/oauth/token', aud: '' },
      { name: 'the token endpoint', path: '/oauth/token', aud: '/oauth/token' },
      { name: 'the token endpoint, pushed', path: '/oauth/par', aud: '/oauth/token' },
      { name: 'the endpoint of PAR', path: '/oauth/par', aud: '/oauth/par' },
      { name: 'introspection', path: '/oauth/introspect', aud: '/oauth/introspect' },
    ])
    .run(async ({ assert }, { path, aud }) => {
      const scene = await strongClient(await clientKey())
      const assertion = await assertionOf(scene, { aud: settings.issuer + aud })
      assert.isTrue(await authenticates(path, byAssertion(assertion)))
    })

  test('a key without an id, and an assertion without one', async ({ assert }) => {
    const [key, other] = [await clientKey('ES256'), await clientKey('ES256')]
    const keys = [other.jwk, key.jwk].map(({ kid, ...jwk }) => jwk)
    const scene = await strongClient(key, { jwks: { keys } })
    const assertion = await assertionOf(scene, {}, { kid: undefined })
    assert.isTrue(await authenticates('/oauth/token', byAssertion(assertion)))
  })
})

interface Refusal {
  what: string
  claims?: () => Record<string, unknown>
  header?: Record<string, unknown>
}

const REFUSALS: Refusal[] = [
  { what: 'another audience', claims: () => ({ aud: 'https://evil.example' }) },
  { what: 'no audience', claims: () => ({ aud: undefined }) },
  { what: 'another issuer', claims: () => ({ iss: 'someone' }) },
  { what: 'an unknown subject', claims: () => ({ sub: 'nobody', iss: 'nobody' }) },
  { what: 'no subject', claims: () => ({ sub: undefined }) },
  { what: 'no id', claims: () => ({ jti: undefined }) },
  { what: 'an id that is a number', claims: () => ({ jti: 7 }) },
  { what: 'no end', claims: () => ({ exp: undefined }) },
  { what: 'an end that has passed', claims: () => ({ exp: now() - 11 }) },
  { what: 'an end in more than an hour', claims: () => ({ exp: now() + 3_602 }) },
  { what: 'a time in the future', claims: () => ({ iat: now() + 62 }) },
  { what: 'a begin in the future', claims: () => ({ nbf: now() + 30 }) },
  { what: 'an unknown key', header: { kid: 'unknown' } },
]

test.group('Client assertion | refused', () => {
  test('with {what}')
    .with(REFUSALS)
    .run(async ({ assert }, { claims = () => ({}), header = {} }) => {
      const scene = await strongClient(await clientKey())
      for (const path of ['/oauth/token', '/oauth/introspect']) {
        const assertion = await assertionOf(scene, claims(), header)
        assert.isFalse(await authenticates(path, byAssertion(assertion)), path)
      }
    })

  test('of another key, HS256 or no signature', async ({ assert }) => {
    const scene = await strongClient(await clientKey())
    const stranger = { ...(await clientKey()), kid: scene.key.kid }
    const claims = jose.decodeJwt(await assertionOf(scene))
    const symmetric = new jose.SignJWT(claims).setProtectedHeader({ alg: 'HS256' })
    const bad = [
      await assertionOf({ ...scene, key: stranger }),
      await symmetric.sign(Buffer.from(JSON.stringify(scene.key.jwk).padEnd(64))),
      new jose.UnsecuredJWT(claims).encode(),
      'x.y.z',
    ]
    for (const path of ['/oauth/token', '/oauth/introspect']) {
      for (const assertion of bad) {
        assert.isFalse(await authenticates(path, byAssertion(assertion)), path)
      }
    }
  })

  test('of a client with a secret, and a secret of a client with a key', async ({ assert }) => {
    const scene = await strongClient(await clientKey())
    const { clientId, id } = scene.client
    const secret = { client_id: clientId, client_secret: 'hashed' }
    assert.isFalse(await authenticates('/oauth/token', secret))
    assert.isFalse(await authenticates('/oauth/introspect', secret))
    const method = { tokenEndpointAuthMethod: 'client_secret_post' } as const
    await updateClient(id, method, SYSTEM)
    await rotateSecret(id, SYSTEM)
    const assertion = await assertionOf(scene)
    assert.isFalse(await authenticates('/oauth/token', byAssertion(assertion)))
    assert.isFalse(await authenticates('/oauth/introspect', byAssertion(assertion)))
  })

  test('a second time, at any endpoint, however many try at once', async ({ assert }) => {
    const scene = await strongClient(await clientKey())
    const assertion = byAssertion(await assertionOf(scene))
    const paths = Array.from({ length: 20 }, (_, index) => ENDPOINTS[index % 4].path)
    const outcomes = await Promise.all(paths.map((path) => authenticates(path, assertion)))
    assert.lengthOf(outcomes.filter(Boolean), 1)
  })

  test('with a type of another kind', async ({ assert }) => {
    const scene = await strongClient(await clientKey())
    const type = ASSERTION_TYPE.replace('jwt', 'saml2')
    const form = { ...byAssertion(await assertionOf(scene)), client_assertion_type: type }
    const { status } = await post('/oauth/introspect', { token: 'x', ...form })
    assert.equal(status, 401)
  })
})

test.group('Client assertion | an hour', () => {
  test('is the longest life, to the second', async ({ assert }) => {
    const scene = await strongClient(await clientKey())
    for (const [ahead, isGood] of [
      [3_599, true],
      [3_600, true],
      [3_605, false],
    ] as const) {
      const assertion = await assertionOf(scene, { exp: now() + ahead })
      assert.equal(await authenticates('/oauth/token', byAssertion(assertion)), isGood)
    }
  })
})

/** Pushes a request with the library of the client. */
async function pushes({ config }: StrongClient) {
  const parameters = { redirect_uri: 'https://app.example.org/callback', scope: 'openid' }
  return oidc.buildAuthorizationUrlWithPAR(config, {
    ...parameters,
    code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  })
}

test.group('Client assertion | openid-client', () => {
  test('signs in, refreshes, introspects and revokes', async ({ assert }) => {
    const scene = await strongClient(await clientKey('RS256'))
    const app = { ...scene, clientSecret: null }
    const scope = { scope: 'openid offline_access' }
    const tokens = await tokensOf(app, await browserOf(await createUser()), scope)
    const renewed = await oidc.refreshTokenGrant(scene.config, tokens.refresh_token!)
    const { active } = await oidc.tokenIntrospection(scene.config, renewed.access_token)
    await oidc.tokenRevocation(scene.config, renewed.access_token)
    const after = await oidc.tokenIntrospection(scene.config, renewed.access_token)
    assert.deepEqual([active, after.active], [true, false])
  })

  test('a client without PAR goes on without it', async ({ assert }) => {
    const url = await pushes(await strongClient(await clientKey()))
    assert.isTrue(url.searchParams.has('request_uri'))
  })
})

test.group('Client assertion | FAPI 2.0', () => {
  test('{alg} is {outcome}')
    .with([
      { alg: 'PS256', outcome: 'accepted' },
      { alg: 'ES256', outcome: 'accepted' },
      { alg: 'EdDSA', outcome: 'accepted' },
      { alg: 'Ed25519', outcome: 'accepted' },
      { alg: 'RS256', outcome: 'refused' },
      { alg: 'ES384', outcome: 'refused' },
    ])
    .run(async ({ assert }, { alg, outcome }) => {
      const scene = await strongClient(await clientKey(alg), FAPI)
      for (const path of ['/oauth/par', '/oauth/introspect']) {
        const isGood = await authenticates(path, byAssertion(await assertionOf(scene)))
        assert.equal(isGood, outcome === 'accepted', path)
      }
    })

  test('the audience is the issuer alone', async ({ assert }) => {
    const scene = await strongClient(await clientKey(), FAPI)
    const token = `${settings.issuer}/oauth/token`
    for (const aud of [token, [settings.issuer], [settings.issuer, token]]) {
      for (const path of ['/oauth/par', '/oauth/introspect']) {
        const assertion = await assertionOf(scene, { aud, jti: randomUUID() })
        assert.isFalse(await authenticates(path, byAssertion(assertion)), path)
      }
    }
  })

  test('a client that needs no DPoP is not held to it', async ({ assert }) => {
    const scene = await strongClient(await clientKey('RS256'), { requirePar: true })
    const aud = `${settings.issuer}/oauth/token`
    const assertion = byAssertion(await assertionOf(scene, { aud }))
    assert.isTrue(await authenticates('/oauth/par', assertion))
  })
})

test.group('Client assertion | discovery', () => {
  test('each endpoint names the method and its algorithms', async ({ client, assert }) => {
    const answer = await client.get('/.well-known/openid-configuration')
    const document = answer.body()
    for (const endpoint of ['token', 'introspection', 'revocation']) {
      assert.include(document[`${endpoint}_endpoint_auth_methods_supported`], 'private_key_jwt')
      const algorithms = document[`${endpoint}_endpoint_auth_signing_alg_values_supported`]
      assert.includeMembers(algorithms, ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])
      assert.notInclude(algorithms, 'HS256')
    }
  })

  test('another application authenticates by its secret, as before', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const tokens = await tokensOf(app, await browserOf(await createUser()))
    assert.isString(tokens.id_token)
  })
})
