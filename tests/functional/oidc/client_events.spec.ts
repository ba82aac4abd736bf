import { generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { createClient, deleteClient, updateClient } from '#oidc/clients/clients'
import { DEFAULTS, type NewClient } from '#oidc/clients/client_fields'
import type { ClientSettings } from '#oidc/clients/client'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { application, browserOf } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import { toldOf } from '#tests/support/webhooks'

/* What the audit log, the console and webhooks say about a change of an application. */

type Changes = Partial<ClientSettings>

async function rowsOf(clientId: string, action = 'client.updated') {
  const rows = db.from('audit_events').where({ action })
  return rows.whereLike('details', `%"${clientId}"%`).orderBy('id')
}

async function detailsOf(clientId: string, action = 'client.updated') {
  const [{ id }] = await rowsOf(clientId, action)
  const [{ details }] = await recordsWhere({ id })
  return details
}

/** Makes one change, and returns the details of its event. */
async function recorded(changes: Changes, given: Changes = {}, actor = SYSTEM) {
  const { client } = await application({ ...given, name: 'Grafana' })
  await updateClient(client.id, changes, actor)
  return { client, details: await detailsOf(client.clientId) }
}

const urls = (host: string, count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `https://${host}/${at}/`.padEnd(length, 'x'))

test.group('Client events | what changed', () => {
  test('{field}: {before} → {after}')
    .with([
      { field: 'name', before: 'Grafana', after: 'Wiki' },
      { field: 'kind', before: 'third_party', after: 'first_party' },
      { field: 'redirectUris', before: ['https://a.example/'], after: ['https://b.example/cb?c'] },
      { field: 'homeUrl', before: null, after: 'https://a.example/' },
      { field: 'requireMfa', before: false, after: true },
      { field: 'scopes', before: ['openid', 'email'], after: ['openid', 'profile'] },
    ])
    .run(async ({ assert }, { field, before, after }) => {
      const { client, details } = await recorded({ [field]: after }, { [field]: before })
      const { clientId } = client
      const named = { clientId, name: 'Grafana', kind: 'third_party' }
      const expected = {
        ...named,
        [field]: { before: field === 'name' ? 'Grafana' : before, after },
      }
      assert.deepEqual(details, expected)
    })

  test('claims are texts, with the name and the source', async ({ assert }) => {
    const { details } = await recorded({ claims: { plan: '=gold', login: 'id' } })
    assert.deepEqual(details.claims, { before: [], after: ['plan: =gold', 'login: id'] })
  })

  test('what follows from a change is in it', async ({ assert }) => {
    const { details } = await recorded({ tokenEndpointAuthMethod: 'none' })
    assert.containsSubset(details, {
      tokenEndpointAuthMethod: { after: 'none' },
      requirePkce: { before: false, after: true },
    })
  })

  test('a set of keys is changed, without its text', async ({ assert }) => {
    const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    const jwks = { keys: [key] }
    const { details } = await recorded({ tokenEndpointAuthMethod: 'private_key_jwt', jwks })
    assert.equal(details.jwks, 'changed')
  })

  test('the receiver of logouts is its host: a path may be a secret', async ({ assert }) => {
    const { details } = await recorded({ backchannelLogoutUri: 'https://a.example/s3cret' })
    assert.deepEqual(details.backchannelLogoutUri, { before: null, after: 'a.example' })
  })

  test('addresses of more than 1,000 characters are {shown}')
    .with([
      { shown: 'their hosts', before: urls('a.example', 1, 30), after: ['a.example', 'b.example'] },
      {
        shown: 'their hosts on both sides',
        before: urls('a.example', 8, 200),
        after: ['a.example', 'b.example'],
      },
    ])
    .run(async ({ assert }, { before, after }) => {
      const uris = [...urls('a.example', 3, 300), ...urls('b.example', 1, 300)]
      const { details } = await recorded({ redirectUris: uris }, { redirectUris: before })
      assert.deepEqual(details.redirectUris, { before: ['a.example'], after })
    })

  test('more hosts than that are a number', async ({ assert }) => {
    const uris = Array.from({ length: 50 }, (_, at) => `https://${at}.${'a'.repeat(30)}.example/`)
    const { details } = await recorded({ redirectUris: uris }, { redirectUris: uris.slice(0, 2) })
    assert.deepEqual(details.redirectUris, { before: 2, after: 50 })
  })

  test('one address of 2,000 characters is its host', async ({ assert }) => {
    const [homeUrl] = urls('a.example', 1, limits.clientUri)
    const { details } = await recorded({ homeUrl })
    assert.deepEqual(details.homeUrl, { before: null, after: 'a.example' })
  })
})

test.group('Client events | of new and deleted applications', () => {
  const ACTIONS = [
    { action: 'client.created', of: (before: unknown, after: unknown) => ({ before, after }) },
    { action: 'client.deleted', of: (_: unknown, before: unknown) => ({ before, after: null }) },
  ]

  /** Deletes a client, and returns the details of its event. */
  async function removed(given: Partial<NewClient>, action: string) {
    const { client } = await createClient({ name: 'Grafana', redirectUris: [], ...given }, SYSTEM)
    await deleteClient(client.id, SYSTEM)
    return { client, details: await detailsOf(client.clientId, action) }
  }

  test('{action} has what differs from the defaults')
    .with(ACTIONS)
    .run(async ({ assert }, { action, of }) => {
      const redirectUris = ['https://elsewhere.example/cb']
      const scopes = ['openid', 'email'] as const
      const given = { redirectUris, scopes: [...scopes], requireMfa: true, allowHttp: false }
      const { client, details } = await removed({ ...given, kind: 'first_party' }, action)
      const { clientId } = client
      const named = { clientId, name: 'Grafana', kind: 'first_party' }
      const ended = action === 'client.deleted' && { endedSessions: 0 }
      assert.deepEqual(details, {
        ...named,
        ...ended,
        redirectUris: of([], redirectUris),
        scopes: of(DEFAULTS.scopes, scopes),
        requireMfa: of(false, true),
      })
    })

  test('{action} has short forms of long values')
    .with(ACTIONS)
    .run(async ({ assert }, { action, of }) => {
      const [homeUrl] = urls('a.example', 1, limits.clientUri)
      const claims = { plan: '=gold' }
      const given = { redirectUris: urls('b.example', 4, 300), homeUrl, claims }
      const { details } = await removed(given, action)
      assert.deepEqual(details.redirectUris, of([], ['b.example']))
      assert.deepEqual(details.homeUrl, of(null, 'a.example'))
      assert.deepEqual(details.claims, of([], ['plan: =gold']))
    })

  test('{action} is not longer for a webhook')
    .with(ACTIONS)
    .run(async ({ assert }, { action }) => {
      const { client } = await removed({ redirectUris: ['https://a.example/'] }, action)
      const [row] = await rowsOf(client.clientId, action)
      const { sequence, actor, scope, ...data } = (await toldOf(row))!.data
      assert.deepEqual(data, { client: { clientId: client.clientId } })
    })
})

test.group('Client events | who reads them', () => {
  test('a webhook gets neither fields nor values', async ({ assert }) => {
    const { client } = await recorded({ homeUrl: 'https://a.example/', name: 'Wiki' })
    const [row] = await rowsOf(client.clientId)
    const told = await toldOf(row)
    const { sequence, actor, ...data } = told!.data
    assert.deepEqual(data, { client: { clientId: client.clientId } })
  })

  test('the console shows hostile values as text', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    const app = await application()
    const claims = { plan: '=<script>alert(1)</script>\u202e' }
    const changes = { name: '<b>Wiki</b>', claims, access: 'groups', idTokenClaims: false }
    const sent = await client.put(`/oauth-clients/${app.client.id}`).headers(headers).json(changes)
    sent.assertStatus(200)
    const browser = await browserOf(admin)
    const page = new URL(`/admin/audit?account=${admin.id}`, browser.issuer)
    const shown = await browser.open(page)
    const html = shown.html.replaceAll(/\s+/g, ' ')
    assert.include(html, '<ins><bdi>&lt;b&gt;Wiki&lt;/b&gt;</bdi></ins>')
    assert.include(html, 'Additional claims: <del><bdi>nothing</bdi></del>')
    assert.include(html, '<bdi>plan: =&lt;script&gt;alert(1)&lt;/script&gt;\u202e</bdi>')
    assert.include(
      html,
      '<del><bdi>Everybody</bdi></del> → <ins><bdi>Members of groups</bdi></ins>'
    )
  })
})
