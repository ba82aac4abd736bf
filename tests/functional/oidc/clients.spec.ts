import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { addServiceAccount } from '#users/service_accounts'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import type { ApiClient } from '@japa/api-client'

const DAY_MS = 86_400_000
const CALLBACK = 'https://grafana.example.org/login/generic_oauth'
const GRAFANA = { name: 'Grafana', redirectUris: [CALLBACK] }

async function register(client: ApiClient, body: object) {
  const { headers } = await signedIn(client, await createAdmin())
  return client.post('/oauth-clients').headers(headers).json(body)
}

test.group('OAuth clients | registration', () => {
  test('answers with the secret, once', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const response = await client.post('/oauth-clients').headers(headers).json(GRAFANA)
    response.assertStatus(201)
    const { clientSecret, ...record } = response.body()
    const read = await client.get(`/oauth-clients/${record.id}`).headers(headers)
    assert.deepEqual(read.body(), record)
    assert.match(clientSecret, /^ghs_[\w-]{43}$/)
  })

  test('stores a hash of the secret', async ({ client, assert }) => {
    const response = await register(client, GRAFANA)
    const row = await db.from('oauth_clients').where('id', response.body().id).first()
    const events = await db.from('audit_events').where('action', 'client.created')
    assert.notInclude(JSON.stringify([row, events]), response.body().clientSecret)
  })

  test('a public client has no secret', async ({ client, assert }) => {
    const body = { ...GRAFANA, tokenEndpointAuthMethod: 'none' }
    const response = await register(client, body)
    assert.isNull(response.body().clientSecret)
  })

  const REFUSED = [
    'http://grafana.example.org/cb',
    'https://grafana.example.org/cb#part',
    'https://*.example.org/cb',
    'https://user:secret@grafana.example.org/cb',
    'javascript:alert(1)',
    'http://10.0.0.1/cb',
    'https://grafana.example.org\\@evil.example/cb',
    '/cb',
  ]

  test('the redirect address {$self} is refused')
    .with(REFUSED)
    .run(async ({ client, assert }, uri) => {
      const response = await register(client, { ...GRAFANA, redirectUris: [uri] })
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'redirectUris')
    })

  test('an item of a list is refused by its path', async ({ client, assert }) => {
    const response = await register(client, {
      ...GRAFANA,
      redirectUris: [CALLBACK, 'x'.repeat(3_000)],
    })
    const [{ field, message }] = response.body().errors
    assert.equal(field, 'redirectUris.1')
    assert.match(message, /^The redirectUris\.1 field /)
  })

  test('with allowHttp a private address is one, and no public name')
    .with([
      { uri: 'http://10.0.0.1/cb', status: 201 },
      { uri: 'http://nas.lan:8080/cb', status: 201 },
      { uri: 'http://grafana.example.org/cb', status: 400 },
    ])
    .run(async ({ client }, { uri, status }) => {
      const body = { ...GRAFANA, redirectUris: [uri], postLogoutRedirectUris: [uri] }
      const response = await register(client, { ...body, allowHttp: true })
      response.assertStatus(status)
    })

  test('allowHttp goes only with its last http address', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const body = { ...GRAFANA, redirectUris: ['http://10.0.0.1/cb'], allowHttp: true }
    const registered = await client.post('/oauth-clients').headers(headers).json(body)
    const path = `/oauth-clients/${registered.body().id}`
    const refused = await client.put(path).headers(headers).json({ allowHttp: false })
    refused.assertStatus(400)
    assert.equal(refused.body().errors[0].field, 'redirectUris')
    const change = { allowHttp: false, redirectUris: [CALLBACK] }
    const response = await client.put(path).headers(headers).json(change)
    response.assertStatus(200)
  })

  test('a client with a secret may have the scheme of an app', async ({ client }) => {
    const response = await register(client, { ...GRAFANA, redirectUris: ['com.example.app:/cb'] })
    response.assertStatus(201)
  })

  test('an app may have {$self}')
    .with(['com.example.app:/cb', 'http://127.0.0.1/cb', 'http://[::1]:8080/cb'])
    .run(async ({ client }, uri) => {
      const app = { tokenEndpointAuthMethod: 'none', redirectUris: [uri] }
      const response = await register(client, { ...GRAFANA, ...app })
      response.assertStatus(201)
    })

  test('{what} is refused')
    .with([
      { what: 'no redirect address for the code', change: { redirectUris: [] } },
      { what: 'an unknown grant', change: { grantTypes: ['implicit'] } },
      { what: 'the password grant', change: { grantTypes: ['password'] } },
      { what: 'an unknown scope', change: { scopes: ['everything'] } },
      { what: 'an API scope beyond a client', change: { scopes: ['clients:write'] } },
      { what: 'client_credentials for no account', change: { grantTypes: ['client_credentials'] } },
      { what: 'a logout address of no scheme', change: { backchannelLogoutUri: 'example.org' } },
      ...['http://127.0.0.1:9/out', 'https://app.example.org:6667/out'].map((uri) => ({
        what: `a logout at ${uri}`,
        change: { backchannelLogoutUri: uri },
      })),
    ])
    .run(async ({ client }, { change }) => {
      const response = await register(client, { ...GRAFANA, ...change })
      response.assertStatus(400)
    })

  test('{who} may not')
    .with([{ who: 'a user' }, { who: 'nobody' }])
    .run(async ({ client }, { who }) => {
      const { headers } = await signedIn(client, await createUser())
      const request = client.post('/oauth-clients').headers(who === 'nobody' ? {} : headers)
      const response = await request.json(GRAFANA)
      response.assertStatus(who === 'nobody' ? 401 : 403)
    })
})

test.group('OAuth clients | API keys', () => {
  test('register clients that read who people are', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const response = await client.post('/oauth-clients').headers(headers).json(GRAFANA)
    response.assertStatus(201)
  })

  test('give no client {what}')
    .with([{ what: 'scopes of the API' }, { what: 'a service account' }])
    .run(async ({ client, assert }, { what }) => {
      const admin = await createAdmin()
      const service = await addServiceAccount({ username: 'Robot' }, SYSTEM)
      const { headers } = await keyOf(admin, ['clients:write'])
      const acting = { grantTypes: ['client_credentials'], serviceAccountId: service.id }
      const change = what === 'a service account' ? acting : { scopes: ['openid', 'users:read'] }
      const response = await client
        .post('/oauth-clients')
        .headers(headers)
        .json({ ...GRAFANA, ...change })
      assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
    })
})

test.group('OAuth clients | changes', () => {
  test('keep what was not sent', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const made = await client.post('/oauth-clients').headers(headers).json(GRAFANA)
    const { id, clientId } = made.body()
    const request = client.put(`/oauth-clients/${id}`).headers(headers)
    const changed = await request.json({ name: 'Dashboards' })
    assert.containsSubset(changed.body(), {
      clientId,
      name: 'Dashboards',
      redirectUris: [CALLBACK],
    })
  })

  test('a record that is sent back changes nothing', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const made = await client.post('/oauth-clients').headers(headers).json(GRAFANA)
    const { clientSecret, ...record } = made.body()
    const changed = await client.put(`/oauth-clients/${record.id}`).headers(headers).json(record)
    assert.deepEqual({ ...changed.body(), updatedAt: '' }, { ...record, updatedAt: '' })
  })

  test('an unknown client is not found', async ({ client }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const path = '/oauth-clients/01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'
    const responses = [
      await client.get(path).headers(headers),
      await client.put(path).headers(headers).json({ name: 'X' }),
      await client.delete(path).headers(headers),
      await client.post(`${path}/rotate-secret`).headers(headers),
    ]
    for (const response of responses) response.assertStatus(404)
  })

  test('the former secret is good for a day')
    .with([
      { ms: DAY_MS - 1, status: 200 },
      { ms: DAY_MS, status: 401 },
    ])
    .run(async ({ client, assert }, { ms, status }) => {
      freezeTime()
      const { headers } = await signedIn(client, await createAdmin())
      const app = await application()
      const rotated = await client
        .post(`/oauth-clients/${app.client.id}/rotate-secret`)
        .headers(headers)
      timeTravel(ms)
      const statusOf = async (secret: string) => {
        const request = client.post('/oauth/introspect').basicAuth(app.client.clientId, secret)
        const response = await request.form({ token: 'x' })
        return response.status()
      }
      const [former, present] = [app.clientSecret!, rotated.body().clientSecret]
      assert.equal(await statusOf(former), status)
      assert.equal(await statusOf(present), 200)
    })

  test('a service account needs a recent proof', async ({ client, assert }) => {
    freezeTime()
    const { headers } = await signedIn(client, await createAdmin())
    const service = await addServiceAccount({ username: 'Robot' }, SYSTEM)
    timeTravel(700_000)
    const body = {
      name: 'Reports',
      grantTypes: ['client_credentials'],
      serviceAccountId: service.id,
    }
    const response = await client.post('/oauth-clients').headers(headers).json(body)
    assert.equal(response.body().code, 'E_RECENT_LOGIN_REQUIRED')
  })
})
