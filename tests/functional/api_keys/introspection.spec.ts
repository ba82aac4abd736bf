import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { addServiceAccount } from '#users/service_accounts'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, decodeClaims, keyOf, signedIn } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

async function introspect(client: ApiClient, token: string) {
  const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
  return client.post('/oauth/introspect').headers(headers).form({ token })
}

test.group('Introspection | a token', () => {
  test('that is active says its claims and session', async ({ client, assert }) => {
    const { accessToken, sessionId } = await signedIn(client, await createUser())
    const response = await introspect(client, accessToken)
    response.assertStatus(200)
    const claims = decodeClaims(accessToken)
    const expected = { active: true, token_type: 'Bearer', sid: sessionId, ...claims }
    assert.deepEqual(response.body(), expected)
    assert.equal(response.header('cache-control'), 'no-store')
  })

  test('{$self} is inactive')
    .with(['refresh', 'nonsense', '', 'eyJhbGciOiJub25lIn0.e30.'])
    .run(async ({ client, assert }, kind) => {
      const { refreshToken } = await signedIn(client, await createUser())
      const token = { refresh: refreshToken }[kind] ?? (kind || 'x'.repeat(10_000))
      const response = await introspect(client, token)
      response.assertStatus(200)
      assert.deepEqual(response.body(), { active: false })
    })

  test('that is a key says its scopes and owner', async ({ client, assert }) => {
    const user = await createUser()
    const { id, key } = await keyOf(user, ['profile:read', 'sessions:read'])
    const response = await introspect(client, key)
    const { exp, ...said } = response.body()
    assert.deepEqual(said, {
      active: true,
      token_type: 'Bearer',
      scope: 'profile:read sessions:read',
      sub: user.id,
      email: user.email,
      role: 'User',
      jti: id,
    })
    assert.approximately(exp, Date.now() / 1_000 + 90 * 86_400, 60)
  })

  test('that is a key is not marked as used', async ({ client, assert }) => {
    const { id, key } = await keyOf(await createUser())
    await introspect(client, key)
    const { last_used_at: usedAt } = await db.from('api_keys').where('id', id).first()
    assert.isNull(usedAt)
  })

  test('of a service account names no address', async ({ client, assert }) => {
    const service = await addServiceAccount({ username: 'Robot' }, SYSTEM)
    const { key } = await keyOf(service)
    const response = await introspect(client, key)
    assert.isTrue(response.body().active)
    assert.notProperty(response.body(), 'email')
  })
})

type Headers = Record<string, string>

test.group('Introspection | who may ask', () => {
  test('{who} gets 401 with a challenge')
    .with([{ who: 'nobody' }, { who: 'an administrator' }, { who: 'a revoked key' }])
    .run(async ({ client, assert }, { who }) => {
      const { accessToken, headers } = await signedIn(client, await createAdmin())
      const credentials: Record<string, Headers> = {
        'an administrator': headers,
        'a revoked key': { authorization: `Bearer gh_${'x'.repeat(70)}` },
      }
      const response = await client
        .post('/oauth/introspect')
        .headers(credentials[who] ?? {})
        .form({ token: accessToken })
      response.assertStatus(401)
      assert.match(response.header('www-authenticate')!, /^Bearer/)
    })

  test('a key without the scope gets 403', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['users:read', 'users:write'])
    const response = await client.post('/oauth/introspect').headers(headers).form({ token: 'x' })
    response.assertStatus(403)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
    assert.equal(response.header('www-authenticate'), 'Bearer error="insufficient_scope"')
  })

  test('a form without a token is refused', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
    const request = client.post('/oauth/introspect').headers(headers)
    const response = await request.form({ token_type_hint: 'access_token' })
    response.assertStatus(400)
  })

  test('a body that is no form is refused', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
    const response = await client.post('/oauth/introspect').headers(headers).json({ token: 'x' })
    response.assertStatus(415)
  })

  test('a token in the query is not read', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['tokens:introspect'])
    const request = client.post('/oauth/introspect').qs({ token: 'x' }).headers(headers)
    const response = await request.form({})
    response.assertStatus(400)
  })
})
