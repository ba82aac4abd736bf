import { randomUUID } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import outbound from '#config/outbound'
import { SYSTEM } from '#audit/actor'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { createClient } from '#oidc/clients/clients'
import type { NewClient } from '#oidc/clients/client_fields'
import { addServiceAccount } from '#users/service_accounts'
import { giveConsent } from '#oidc/consents/consents'
import { upsertRecord } from '#oidc/records/record_rows'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import type { Network } from '#setup/environment/networks'
import type { ApiClient } from '@japa/api-client'

/* Which clients an API key with `clients:write` can change, and in which ways. */

const CALLBACK = 'https://grafana.example.org/cb'
const HOSTILE = 'https://evil.example/cb'
const GRAFANA: NewClient = { name: 'Grafana', redirectUris: [CALLBACK] }

async function forService(): Promise<NewClient> {
  const { id } = await addServiceAccount({ username: 'Robot' }, SYSTEM)
  return { name: 'Robot', grantTypes: ['client_credentials'], serviceAccountId: id }
}

const CLIENTS: Record<string, () => Promise<NewClient> | NewClient> = {
  'a third-party client': () => GRAFANA,
  'a first-party client': () => ({ ...GRAFANA, kind: 'first_party' }),
  'a third-party client that a user allowed': () => GRAFANA,
  'a first-party client with a session': () => ({ ...GRAFANA, kind: 'first_party' }),
  'a client with an API scope': () => ({ ...GRAFANA, scopes: ['openid', 'users:write'] }),
  'a client of a service account': forService,
}

/** What users have done with a client before its change. */
const USES: Record<string, (clientId: string) => Promise<unknown>> = {
  'a third-party client that a user allowed': async (clientId) => {
    const { id: userId } = await createUser()
    return giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
  },
  'a first-party client with a session': async (clientId) => {
    const { id: userId } = await createUser()
    const columns = { grantId: randomUUID(), clientId, userId }
    const content = { ...columns, payload: '{}', expiresAt: Date.now() + 60_000 }
    return upsertRecord({ kind: 'Grant', id: columns.grantId }, content)
  },
}

type Change = (client: ApiClient, id: string, headers: Record<string, string>) => Promise<any>

const put =
  (body: object): Change =>
  async (client, id, headers) =>
    client.put(`/oauth-clients/${id}`).headers(headers).json(body)

const REFRESHING = ['authorization_code', 'refresh_token']

const CHANGES: Record<string, Change> = {
  'the name': put({ name: 'Wiki' }),
  'the redirect address': put({ redirectUris: [HOSTILE] }),
  'an API scope': put({ scopes: ['openid', 'users:write'] }),
  'the address after a logout': put({ postLogoutRedirectUris: [HOSTILE] }),
  'the receiver of logouts': put({ backchannelLogoutUri: HOSTILE }),
  'the home': put({ homeUrl: HOSTILE }),
  'codes of devices': put({ grantTypes: [...REFRESHING, DEVICE_GRANT] }),
  'plain http': put({ allowHttp: true }),
  'PKCE': put({ requirePkce: true }),
  'unverified addresses': put({ requireVerifiedEmail: false }),
  'pushed requests alone': put({ requirePar: true }),
  'bound tokens alone': put({ requireDpop: true }),
  'the algorithm of ID tokens': put({ idTokenAlgorithm: 'EdDSA' }),
  'fewer claims in ID tokens': put({ idTokenClaims: false }),
  'longer sessions': put({ refreshTokenTtl: '366d' }),
  'sessions without a question': put({ refreshTokens: 'always', grantTypes: REFRESHING }),
  'claims': put({ claims: { preferred_username: '=admin' } }),
  'who may enter': put({ access: 'groups' }),
  'two factors': put({ requireMfa: true }),
  'a key instead of the secret': put({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: HOSTILE,
  }),
  'no API scope': put({ scopes: ['openid'], name: 'Wiki' }),
  'the kind': put({ kind: 'first_party' }),
  'no secret': put({
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code'],
    serviceAccountId: null,
    redirectUris: [HOSTILE],
  }),
  'another secret': async (client, id, headers) =>
    client.post(`/oauth-clients/${id}/rotate-secret`).headers(headers),
  'the deletion': async (client, id, headers) =>
    client.delete(`/oauth-clients/${id}`).headers(headers),
}

/** What an API key may change; everything else is refused. */
const ALLOWED: Record<string, string[]> = {
  'a third-party client': Object.keys(CHANGES).filter(
    (change) => change !== 'an API scope' && change !== 'the kind'
  ),
  'a first-party client': ['the name', 'the kind'],
  'a third-party client that a user allowed': [
    'the name',
    'no API scope',
    'the algorithm of ID tokens',
    'fewer claims in ID tokens',
  ],
  'a first-party client with a session': ['the name', 'the kind'],
  'a client with an API scope': [],
  'a client of a service account': [],
}

const CELLS = Object.keys(CLIENTS).flatMap((kind) =>
  Object.keys(CHANGES).map((change) => ({
    kind,
    change,
    outcome: ALLOWED[kind].includes(change) ? 'done' : 'refused',
  }))
)

test.group('Client limits | API key', () => {
  test('{change} of {kind}: {outcome}')
    .with(CELLS)
    .run(async ({ client, assert }, { kind, change, outcome }) => {
      const made = await createClient(await CLIENTS[kind](), SYSTEM)
      const { id, clientId } = made.client
      await USES[kind]?.(clientId)
      const before = await db.from('oauth_clients').where({ id }).first()
      const { headers } = await keyOf(await createAdmin(), ['clients:write'])
      const response = await CHANGES[change](client, id, headers)
      const after = await db.from('oauth_clients').where({ id }).first()
      assert.equal(response.status(), outcome === 'done' ? 200 : 403)
      if (outcome === 'done') return
      assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
      assert.deepEqual(after, before)
    })

  test('a first-party client is not registered', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const body = { ...GRAFANA, kind: 'first_party' }
    const response = await client.post('/oauth-clients').headers(headers).json(body)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
  })

  test('a client in use that is sent back is no change', async ({ client }) => {
    const { client: made } = await createClient(GRAFANA, SYSTEM)
    await USES['a third-party client that a user allowed'](made.clientId)
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const path = `/oauth-clients/${made.id}`
    const record = await client.get(path).headers(headers)
    const sent = await client.put(path).headers(headers).json(record.body())
    sent.assertStatus(200)
  })

  test('a first-party client that is sent back is no change', async ({ client }) => {
    const { client: made } = await createClient({ ...GRAFANA, kind: 'first_party' }, SYSTEM)
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const path = `/oauth-clients/${made.id}`
    const record = await client.get(path).headers(headers)
    const sent = await client.put(path).headers(headers).json(record.body())
    sent.assertStatus(200)
  })
})

test.group('Client limits | what is called', (group) => {
  group.each.setup(() => {
    const { networks } = outbound
    outbound.networks = [ipaddr.parseCIDR('10.0.0.0/8') as Network]
    return () => void (outbound.networks = networks)
  })

  /** The name in an http address may lead to any host, now or later. */
  test('a key sets {uri}: {status}')
    .with([
      { uri: 'https://wiki.example.org/logout', status: 200 },
      { uri: 'http://10.1.2.3/logout', status: 200 },
      { uri: 'http://192.168.1.2/logout', status: 403 },
      { uri: 'https://192.168.1.2/logout', status: 403 },
      { uri: 'http://wiki.example.org/logout', status: 403 },
    ])
    .run(async ({ client }, { uri, status }) => {
      const { client: made } = await createClient(GRAFANA, SYSTEM)
      const { headers } = await keyOf(await createAdmin(), ['clients:write'])
      const response = await put({ backchannelLogoutUri: uri })(client, made.id, headers)
      response.assertStatus(status)
    })

  test('a key sets the address of public keys {jwksUri}: {status}')
    .with([
      { jwksUri: 'https://wiki.example.org/keys', status: 200 },
      { jwksUri: 'http://wiki.example.org/keys', status: 403 },
      { jwksUri: 'https://192.168.1.2/keys', status: 403 },
    ])
    .run(async ({ client }, { jwksUri, status }) => {
      const { client: made } = await createClient(GRAFANA, SYSTEM)
      const { headers } = await keyOf(await createAdmin(), ['clients:write'])
      const keys = { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri }
      const response = await put(keys)(client, made.id, headers)
      response.assertStatus(status)
    })
})

test.group('Client limits | administrator', () => {
  test('{$self} of a client in use passes in a recent session')
    .with(['the redirect address', 'no secret', 'another secret'])
    .run(async ({ client }, change) => {
      const { client: made } = await createClient(GRAFANA, SYSTEM)
      await USES['a third-party client that a user allowed'](made.clientId)
      const { headers } = await signedIn(client, await createAdmin())
      const response = await CHANGES[change](client, made.id, headers)
      response.assertStatus(200)
    })

  test('{$self} needs a recent proof')
    .with(Object.keys(CHANGES))
    .run(async ({ client, assert }, change) => {
      freezeTime()
      const { client: made } = await createClient(GRAFANA, SYSTEM)
      const { headers } = await signedIn(client, await createAdmin())
      timeTravel(600_001)
      const response = await CHANGES[change](client, made.id, headers)
      assert.equal(response.body().code, 'E_RECENT_LOGIN_REQUIRED')
    })
})
