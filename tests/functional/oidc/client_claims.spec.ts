import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { updateClient } from '#oidc/clients/clients'
import { readClientClaims } from '#oidc/tokens/client_claims'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { updateUser } from '#users/update_user'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { withLimits } from '#tests/support/limits'
import { refusalsOf, warningsOf } from '#tests/support/refusals'
import type User from '#models/user'
import type { ApiClient } from '@japa/api-client'

const FIRST_PARTY = { kind: 'first_party' as const }
const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

async function claimsOf(user: User, claims: Record<string, string>, more: object = {}) {
  const app = await application({ ...FIRST_PARTY, claims, ...more })
  const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid' })
  const userinfo = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
  return { app, idToken: tokens.claims() as Record<string, unknown>, userinfo }
}

async function memberOf(...names: string[]) {
  const user = await createUser()
  for (const name of names) {
    const group = await createGroup({ name }, SYSTEM)
    await addMember(user.id, group.id, SYSTEM)
  }
  return user
}

async function register(client: ApiClient, settings: object) {
  const { headers } = await signedIn(client, await createAdmin())
  return client
    .post('/oauth-clients')
    .headers(headers)
    .json({ ...GRAFANA, ...settings })
}

test.group('Claims of a client | values', () => {
  test('each source is in ID token and userinfo', async ({ assert }) => {
    const tag = `t${Date.now()}-`
    const user = await memberOf(`${tag}b`, `${tag}a`, `other-${tag}`)
    const appMetadata = { plan: { seats: 3, tags: ['x'] }, none: null }
    await updateUser(user.id, { appMetadata, nickname: 'Countess' }, SYSTEM)
    const { idToken, userinfo } = await claimsOf(user, {
      'uid': 'id',
      'mail': 'email',
      'name': 'nickname',
      'preferred_username': 'username',
      'roles': 'role',
      'https://example.org/teams': `groups:${tag}`,
      'groups': 'groups',
      'seats': 'appMetadata.plan.seats',
      'plan': 'appMetadata.plan',
      'missing': 'appMetadata.plan.color',
      'inherited': 'appMetadata.plan.toString',
      'env': '=prod=1',
    })
    const expected = {
      'uid': user.id,
      'mail': user.email,
      'name': 'Countess',
      'preferred_username': user.username,
      'roles': 'User',
      'https://example.org/teams': [`${tag}a`, `${tag}b`],
      'groups': [`other-${tag}`, `${tag}a`, `${tag}b`],
      'seats': 3,
      'plan': { seats: 3, tags: ['x'] },
      'env': 'prod=1',
    }
    for (const claims of [idToken, userinfo]) {
      assert.containsSubset(claims, expected)
      assert.notProperty(claims, 'missing')
      assert.notProperty(claims, 'inherited')
    }
  })

  test('ID tokens have them without idTokenClaims too', async ({ assert }) => {
    const { idToken } = await claimsOf(await createUser(), { env: '=x' }, { idTokenClaims: false })
    assert.equal(idToken.env, 'x')
    assert.notProperty(idToken, 'email')
  })

  test('a changed claim counts from the next request on', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ ...FIRST_PARTY, claims: { env: '=one' } })
    const { access_token: token } = await tokensOf(app, await browserOf(user), { scope: 'openid' })
    await updateClient(app.client.id, { claims: { env: '=two' } }, SYSTEM)
    const { env } = await oidc.fetchUserInfo(app.config, token, user.id)
    assert.equal(env, 'two')
  })

  test('a third party gets what the granted scopes cover', async ({ assert }) => {
    const user = await createUser()
    const claims = { mail: 'email', who: 'username', uid: 'id', env: '=x' }
    const client = { kind: 'third_party' as const, scopes: ['openid' as const], claims }
    const { claims: few } = await readClientClaims(client, user, ['openid'])
    const { claims: more } = await readClientClaims(client, user, ['openid', 'email'])
    assert.deepEqual(few, { uid: user.id, env: 'x' })
    assert.deepEqual(more, { mail: user.email, uid: user.id, env: 'x' })
  })
})

test.group('Claims of a client | size', () => {
  test('a claim that is too long is left out, logged and listed', async ({ assert }) => {
    const user = await createUser()
    const long = 'x'.repeat(limits.claimText + 1)
    let app: Awaited<ReturnType<typeof claimsOf>>['app']
    const lines = await warningsOf(async () => {
      const read = await claimsOf(user, { long: `=${long}`, short: '=x' })
      app = read.app
      assert.notProperty(read.idToken, 'long')
      assert.equal(read.idToken.short, 'x')
    })
    const [refusal] = await refusalsOf(app!)
    assert.containsSubset(refusal, { reason: 'claim', sent: 'long', setting: 'claims' })
    assert.isTrue(lines.some(({ reason, sent }) => reason === 'claim' && sent === 'long'))
  })

  test('{what} {fits}')
    .with([
      { what: 'a text of 256', fits: 'fits', value: 'x'.repeat(256) },
      { what: 'a text of 257 in a list', fits: 'is left out', value: ['x'.repeat(257)] },
      { what: 'a list of 100', fits: 'fits', value: Array.from({ length: 100 }, () => 1) },
      { what: 'a list of 101', fits: 'is left out', value: Array.from({ length: 101 }, () => 1) },
      { what: 'a list in an object', fits: 'is left out', value: { a: Array(101).fill(1) } },
    ])
    .run(async ({ assert }, { fits, value }) => {
      const user = await createUser()
      const { id } = await updateUser(user.id, { appMetadata: { value } }, SYSTEM)
      const client = { ...FIRST_PARTY, scopes: [], claims: { value: 'appMetadata.value' } }
      const changed = await user.refresh()
      const { claims, omitted } = await readClientClaims(client, changed, [])
      assert.equal(id, user.id)
      const expected = fits === 'fits' ? [{ value }, []] : [{}, ['value']]
      assert.deepEqual([claims, omitted], expected)
    })

  test('all claims have 4 KB together, and shorter ones still fit', async ({ assert }) => {
    const text = `=${'x'.repeat(256)}`
    const many = Array.from({ length: 16 }, (_, at) => [`c${at}`, text])
    const claims = Object.fromEntries([...many, ['last', '=x']])
    const client = { ...FIRST_PARTY, scopes: [], claims }
    const read = await readClientClaims(client, await createUser(), [])
    assert.isAtMost(Buffer.byteLength(JSON.stringify(read.claims)), 4_096)
    assert.deepEqual(read.omitted, ['c15'])
    assert.equal(read.claims.last, 'x')
  })
})

const TWENTY_ONE = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`c${at}`, '=x']))

test.group('Claims of a client | rules', () => {
  test('a client with more claims than fit keeps them', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { client: made } = await application({ kind: 'first_party', claims: { plan: '=free' } })
    const put = (change: object) =>
      client.put(`/oauth-clients/${made.id}`).headers(headers).json(change)
    await withLimits({ clientClaimBytes: 5 }, async () => {
      const renamed = await put({ name: 'Handbook', claims: { plan: '=paid' } })
      renamed.assertStatus(200)
      const refused = await put({ claims: { plan: '=longer' } })
      refused.assertStatus(400)
      assert.equal(refused.body().errors[0].field, 'claims')
    })
  })

  test('{what} is refused on its field')
    .with([
      { what: 'a list', claims: ['env'] },
      { what: 'a text', claims: 'env' },
      { what: 'twenty-one claims', claims: TWENTY_ONE },
      { what: 'a number as source', claims: { env: 1 } },
      { what: 'a source that does not exist', claims: { env: 'password' } },
      { what: 'metadata of the user', claims: { env: 'metadata.plan' } },
      { what: 'no path', claims: { env: 'appMetadata.' } },
      { what: 'an empty step of a path', claims: { env: 'appMetadata.a..b' } },
      { what: 'all of the app metadata', claims: { env: 'appMetadata' } },
      { what: 'no prefix', claims: { env: 'groups:' } },
      { what: 'an empty name', claims: { '': '=x' } },
      { what: 'a name with a space', claims: { 'a b': '=x' } },
      { what: 'a name of prototypes', claims: { constructor: '=x' } },
    ])
    .run(async ({ client, assert }, { claims }) => {
      const response = await register(client, { ...FIRST_PARTY, claims })
      assert.equal(response.status(), 400)
      assert.equal(response.body().errors[0].field, 'claims')
    })

  const REFUSED =
    'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash s_hash sid cnf client_id scope act may_act events email email_verified'

  test('the name {name} is refused')
    .with(REFUSED.split(' ').map((name) => ({ name })))
    .run(async ({ client, assert }, { name }) => {
      const response = await register(client, { ...FIRST_PARTY, claims: { [name]: '=x' } })
      assert.equal(response.status(), 400)
    })

  test('a third party with {source} and {scopes}: {status}')
    .with([
      { source: 'email', scopes: ['openid'], status: 400 },
      { source: 'email', scopes: ['openid', 'email'], status: 201 },
      { source: 'username', scopes: ['openid', 'email'], status: 400 },
      { source: 'nickname', scopes: ['openid', 'profile'], status: 201 },
      { source: 'groups', scopes: ['openid', 'profile'], status: 400 },
      { source: 'groups:a', scopes: ['openid', 'profile'], status: 400 },
      { source: 'role', scopes: ['openid', 'profile'], status: 400 },
      { source: 'appMetadata.plan', scopes: ['openid', 'profile'], status: 400 },
      { source: '=x', scopes: ['openid'], status: 201 },
      { source: 'id', scopes: ['openid'], status: 201 },
    ])
    .run(async ({ client, assert }, { source, scopes, status }) => {
      const response = await register(client, { scopes, claims: { it: source } })
      assert.equal(response.status(), status)
    })

  test('a first party loses no claim that a third party may not have', async ({
    client,
    assert,
  }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const claims = { plan: 'appMetadata.plan' }
    const { client: grafana } = await application({ ...FIRST_PARTY, claims })
    const request = client.put(`/oauth-clients/${grafana.id}`).headers(headers)
    const response = await request.json({ kind: 'third_party' })
    assert.equal(response.status(), 400)
    assert.equal(response.body().errors[0].field, 'claims')
  })

  test('a key sets none at a first party, and sends them back', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const { client: grafana } = await application({ ...FIRST_PARTY, claims: { env: '=x' } })
    const put = (claims: object) =>
      client.put(`/oauth-clients/${grafana.id}`).headers(headers).json({ claims })
    const [changed, sentBack] = [await put({ env: '=y' }), await put({ env: '=x' })]
    assert.deepEqual([changed.status(), changed.body().code], [403, 'E_INSUFFICIENT_SCOPE'])
    assert.equal(sentBack.status(), 200)
  })
})
