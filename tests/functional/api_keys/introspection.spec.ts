import { freezeTime, test, timeTravel } from '@japa/runner'
import { deleteUser } from '#users/delete_user'
import { updateUser } from '#users/update_user'
import { setPassword } from '#users/change_password'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, decodeClaims, keyOf, PASSWORD, signedIn } from '#tests/fixtures'
import type User from '#models/user'
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
    .with(['refresh', 'key', 'nonsense', '', 'eyJhbGciOiJub25lIn0.e30.'])
    .run(async ({ client, assert }, kind) => {
      const user = await createUser()
      const { refreshToken } = await signedIn(client, user)
      const { key } = await keyOf(user)
      const token = { refresh: refreshToken, key }[kind] ?? (kind || 'x'.repeat(10_000))
      const response = await introspect(client, token)
      response.assertStatus(200)
      assert.deepEqual(response.body(), { active: false })
    })

  const ENDS: { what: string; end: (user: User, client: ApiClient, at: Headers) => unknown }[] = [
    { what: 'its revocation', end: (_, client, at) => client.post('/auth/revoke').headers(at) },
    { what: 'a logout', end: (_, client, at) => client.post('/auth/logout').headers(at) },
    { what: 'disabling', end: (user) => updateUser(user.id, { disabled: true }, SYSTEM) },
    { what: 'another role', end: (user) => updateUser(user.id, { role: 'Admin' }, SYSTEM) },
    { what: 'a new password', end: (user) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM }) },
    { what: 'deletion', end: (user) => deleteUser(user.id, SYSTEM) },
    { what: 'its time', end: () => timeTravel(900_000) },
  ]

  test('is inactive after {what}, as for the profile')
    .with(ENDS)
    .run(async ({ client, assert }, { end }) => {
      freezeTime()
      const user = await createUser()
      const { accessToken, headers } = await signedIn(client, user)
      await end(user, client, headers)
      const response = await introspect(client, accessToken)
      const profile = await client.get('/auth/profile').headers(headers)
      assert.deepEqual(response.body(), { active: false })
      profile.assertStatus(401)
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
    assert.equal(response.body().code, 'E_SCOPE')
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
