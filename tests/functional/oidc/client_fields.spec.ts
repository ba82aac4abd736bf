import { generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { newClientFormValidator } from '#validators/clients'
import type { ApiClient } from '@japa/api-client'

/* The fields that determine how an application signs its users in. */

const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

async function register(client: ApiClient, settings: object) {
  const { headers } = await signedIn(client, await createAdmin())
  const request = client.post('/oauth-clients').headers(headers)
  return { headers, response: await request.json({ ...GRAFANA, ...settings }) }
}

function publicKey(bits = 2_048) {
  return generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
}

const KEYS = { keys: [publicKey()] }
const BY_KEY = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: KEYS }
const PUBLIC = { tokenEndpointAuthMethod: 'none' }
const FAPI = { ...BY_KEY, requirePar: true, requireDpop: true }

test.group('Client fields | defaults', () => {
  test('{who} has {shown}')
    .with(
      [
        { who: 'a client with a secret', given: {}, expected: { requirePkce: false } },
        { who: 'a client without a secret', given: PUBLIC, expected: { requirePkce: true } },
        { who: 'a client with a key', given: BY_KEY, expected: { requirePkce: true } },
        { who: 'a new client', given: {}, expected: { idTokenAlgorithm: 'RS256' } },
        { who: 'a client of FAPI 2.0', given: FAPI, expected: { idTokenAlgorithm: 'ES256' } },
        { who: 'any client', given: {}, expected: { requireVerifiedEmail: true } },
        { who: 'each client', given: {}, expected: { idTokenClaims: true, allowHttp: false } },
        { who: 'every client', given: {}, expected: { refreshTokens: 'scope', homeUrl: null } },
      ].map((cell) => ({ ...cell, shown: JSON.stringify(cell.expected) }))
    )
    .run(async ({ client, assert }, { given, expected }) => {
      const { response } = await register(client, given)
      assert.containsSubset(response.body(), expected)
    })

  test('a client of an earlier release behaves as before', async ({ client, assert }) => {
    const { headers, response } = await register(client, {})
    const row = await db.from('oauth_clients').where('id', response.body().id).firstOrFail()
    const { id, client_id: clientId, name, kind, redirect_uris: uris, grant_types: grants } = row
    const { post_logout_redirect_uris: post, scopes, token_endpoint_auth_method: method } = row
    const { created_at: at } = row
    await db.from('oauth_clients').where({ id }).delete()
    await db.table('oauth_clients').insert({
      ...{ id, client_id: clientId, name, kind, redirect_uris: uris, grant_types: grants, scopes },
      ...{ post_logout_redirect_uris: post, token_endpoint_auth_method: method },
      ...{ created_at: at, updated_at: at },
    })
    const read = await client.get(`/oauth-clients/${id}`).headers(headers)
    const kept = { requirePkce: true, idTokenAlgorithm: 'ES256', requireVerifiedEmail: false }
    assert.containsSubset(read.body(), { ...kept, idTokenClaims: true, refreshTokens: 'scope' })
  })
})

test.group('Client fields | rules', () => {
  const WITHOUT_REFRESH = { grantTypes: ['authorization_code'] }

  test('{what} is refused at {field}')
    .with(
      [
        { what: 'a public client without PKCE', given: { ...PUBLIC, requirePkce: false } },
        { what: 'an algorithm that is none', given: { idTokenAlgorithm: 'HS256' } },
        { what: 'RS256 of FAPI 2.0', given: { ...FAPI, idTokenAlgorithm: 'RS256' } },
        { what: 'http with the API', given: { scopes: ['openid', 'users:read'], allowHttp: true } },
        { what: 'no grant for refreshes', given: { ...WITHOUT_REFRESH, refreshTokens: 'always' } },
        { what: 'a lifetime of 367 days', given: { refreshTokenTtl: '367d' } },
        { what: 'a lifetime without a unit', given: { refreshTokenTtl: '30' } },
        { what: 'a home that runs code', given: { homeUrl: 'javascript:alert(1)' } },
        { what: 'no key', given: { ...BY_KEY, jwks: null }, field: 'jwks' },
        { what: 'two sets of keys', given: { ...BY_KEY, jwksUri: 'https://a.example/jwks' } },
        { what: 'a key of a client with a secret', given: { jwks: KEYS } },
        { what: 'a short key', given: { ...BY_KEY, jwks: { keys: [publicKey(1_024)] } } },
        {
          what: 'a private key',
          given: { ...BY_KEY, jwks: { keys: [{ ...publicKey(), d: 'x' }] } },
        },
        { what: 'keys that are none', given: { ...BY_KEY, jwks: { keys: 'x' } } },
        { what: 'keys over http', given: { ...BY_KEY, jwks: null, jwksUri: 'http://a.example/' } },
      ].map((cell) => ({ field: fieldOf(cell.given), ...cell }))
    )
    .run(async ({ client, assert }, { given, field }) => {
      const { response } = await register(client, given)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
    })

  test('a client that becomes {what} is held to PKCE')
    .with([
      { what: 'public', given: {}, becomes: PUBLIC },
      { what: 'one with a key', given: {}, becomes: BY_KEY },
      { what: 'public without its key', given: { ...BY_KEY, requirePkce: false }, becomes: PUBLIC },
    ])
    .run(async ({ client, assert }, { given, becomes }) => {
      const { headers, response } = await register(client, given)
      const { id, requirePkce } = response.body()
      const request = client.put(`/oauth-clients/${id}`).headers(headers)
      const changed = await request.json({ ...becomes, requirePkce })
      assert.deepEqual([requirePkce, changed.body().requirePkce], [false, true])
    })

  test('a client that loses its key forgets it', async ({ client, assert }) => {
    const { headers, response } = await register(client, BY_KEY)
    const request = client.put(`/oauth-clients/${response.body().id}`).headers(headers)
    const changed = await request.json({ tokenEndpointAuthMethod: 'client_secret_basic' })
    assert.containsSubset(changed.body(), { jwks: null, requirePkce: true })
  })

  test('a client with a key has no secret', async ({ client, assert }) => {
    const { headers, response } = await register(client, BY_KEY)
    const { id, clientSecret } = response.body()
    const rotated = await client.post(`/oauth-clients/${id}/rotate-secret`).headers(headers)
    assert.isNull(clientSecret)
    rotated.assertStatus(400)
  })
})

/** Returns the name of the last field, which is the wrong one. */
function fieldOf(given: object) {
  return Object.keys(given).at(-1)
}

test.group('Client fields | what is sent back', () => {
  test('unchanged it writes nothing', async ({ client, assert }) => {
    const { headers, response } = await register(client, { ...FAPI, claims: { b: '=y', a: '=x' } })
    const { clientSecret, ...record } = response.body()
    record.claims = { a: record.claims.a, b: record.claims.b }
    const before = await db.from('audit_events').count('* as total').first()
    const sent = await client.put(`/oauth-clients/${record.id}`).headers(headers).json(record)
    const after = await db.from('audit_events').count('* as total').first()
    assert.deepEqual(sent.body(), record)
    assert.deepEqual(after, before)
  })
})

test.group('Client fields | deep keys', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

  test('are refused by the API', async ({ client, assert }) => {
    const { headers, response } = await register(client, BY_KEY)
    const jwks = { keys: [{ ...publicKey(), more: JSON.parse(nested(1_000)) }] }
    const request = client.put(`/oauth-clients/${response.body().id}`).headers(headers)
    const refused = await request.json({ jwks })
    refused.assertStatus(400)
    assert.equal(refused.body().errors[0].field, 'jwks')
  })

  /** JSON in the text of a form is not subject to the depth limit of the body parser. */
  test('are refused by a form', async ({ assert }) => {
    const jwks = `{"keys":[{"more":${nested(30_000)}}]}`
    const [error] = await newClientFormValidator.tryValidate({ name: 'Grafana', jwks })
    const fields = error!.messages.map(({ field }: { field: string }) => field)
    assert.include(fields, 'jwks')
  })
})
