import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '#audit/actor'
import { forgetDeletedClient, noteDeletedClient } from '#auth/tokens/deleted_clients'
import { createClient, deleteClient } from '#oidc/clients/clients'
import { finishDeletion } from '#oidc/clients/deletion/finish_deletion'
import { giveConsent, hasConsented } from '#oidc/consents/consents'
import { importUsers, type RefusedRow } from '#users/transfer/import'
import { readRows } from '#users/transfer/read_rows'
import { createAdmin, createUser, keyOf, signedIn, someEmail } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

/* An id and a secret that an application brings with it. */

const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }
const SECRET = 'brought-along-by-an-application-that-has-one'

let number = 0
const someId = () => `grafana-${Date.now()}-${number++}`

async function send(client: ApiClient, path: string, body: object) {
  const { headers } = await signedIn(client, await createAdmin())
  return client.post(path).headers(headers).json(body)
}

const register = (client: ApiClient, body: object) =>
  send(client, '/oauth-clients', { ...GRAFANA, ...body })

test.group('Client ids | registration', () => {
  test('an id of {length} characters: {status}')
    .with([
      { length: 1, status: 400 },
      { length: 2, status: 201 },
      { length: 100, status: 201 },
      { length: 101, status: 400 },
    ])
    .run(async ({ client }, { length, status }) => {
      const clientId = someId().padStart(length, 'x').slice(-length)
      const response = await register(client, { clientId })
      response.assertStatus(status)
    })

  test('the id {$self} is refused at its field')
    .with(['a b', 'grafana:1', 'https://a.example/', 'ä-client', 'a@b', ''])
    .run(async ({ client, assert }, clientId) => {
      const response = await register(client, { clientId })
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'clientId')
    })

  test('an id that {what} is taken')
    .with([
      { what: 'a client has', idOf: async () => clientWith().then(({ clientId }) => clientId) },
      { what: 'names a row', idOf: async () => clientWith().then(({ id }) => id) },
      { what: 'a user has', idOf: async () => createUser().then(({ id }) => id) },
      { what: 'a deletion still holds', idOf: idInDeletion },
    ])
    .run(async ({ client, assert }, { idOf }) => {
      const clientId = await idOf()
      const response = await register(client, { clientId })
      const rows = await db.from('oauth_clients').where({ client_id: clientId })
      response.assertStatus(409)
      assert.equal(response.body().code, 'E_CLIENT_ID_TAKEN')
      assert.isAtMost(rows.length, 1)
    })

  test('one of ten registrations at once gets the id', async ({ assert }) => {
    const clientId = someId()
    const ten = Array.from({ length: 10 }, () => createClient({ ...GRAFANA, clientId }, SYSTEM))
    const results = await Promise.allSettled(ten)
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.lengthOf(refused, 9)
    for (const { reason } of refused as PromiseRejectedResult[])
      assert.equal(reason.code, 'E_CLIENT_ID_TAKEN')
  })

  test('an id cannot be changed', async ({ client, assert }) => {
    const { id, clientId } = await clientWith()
    const { headers } = await signedIn(client, await createAdmin())
    const path = `/oauth-clients/${id}`
    const changed = await client.put(path).headers(headers).json({ clientId: someId(), name: 'X' })
    const read = await client.get(path).headers(headers)
    changed.assertStatus(400)
    assert.containsSubset(read.body(), { clientId, name: 'Grafana' })
  })
})

async function clientWith(given: object = {}) {
  const { client } = await createClient({ ...GRAFANA, ...given }, SYSTEM)
  return client
}

async function idInDeletion() {
  const clientId = someId()
  const deletion = { clientId, backchannelLogoutUri: null }
  await db.transaction((trx) => noteDeletedClient(deletion, trx))
  return clientId
}

test.group('Client ids | users', () => {
  test('an imported user does not get the id of a client', async ({ assert }) => {
    await createAdmin()
    const id = uuidv7()
    await clientWith({ clientId: id })
    const rows = [
      { id, email: someEmail() },
      { id: uuidv7(), email: someEmail() },
    ]
    const refused: RefusedRow[] = []
    const source = Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`))
    const summary = await importUsers(readRows(source, 'ndjson'), {
      ...{ from: 'gatehouse', dryRun: false, actor: SYSTEM },
      ...{ onRefused: (row) => refused.push(row), onSkipped: () => {}, onProgress: () => {} },
      onRenamed: () => {},
    })
    assert.deepEqual([summary.imported, summary.refused], [1, 1])
    assert.containsSubset(refused, [{ field: 'id', reason: 'is the id of an application' }])
  })
})

test.group('Client ids | used again', () => {
  test('nothing of the earlier client is left', async ({ assert }) => {
    const before = await clientWith({ clientId: someId(), requirePkce: true })
    const { clientId } = before
    const { id: userId } = await createUser()
    await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
    await deleteClient(before.id, SYSTEM)
    const again = await clientWith({ clientId })
    assert.isFalse(await hasConsented({ userId, clientId }))
    assert.isFalse(again.requirePkce)
    assert.notEqual(again.secretHash, before.secretHash)
  })

  test('a deletion that comes late ends nothing of the new one', async ({ assert }) => {
    const clientId = await idInDeletion()
    await forgetDeletedClient(clientId)
    const { id: userId } = await createUser()
    await clientWith({ clientId })
    await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
    await finishDeletion(clientId)
    assert.isTrue(await hasConsented({ userId, clientId }))
  })
})

test.group('Client secrets | brought along', () => {
  test('one is kept at {what}')
    .with([{ what: 'the registration' }, { what: 'a rotation' }])
    .run(async ({ client, assert }, { what }) => {
      const made = await register(client, what === 'a rotation' ? {} : { clientSecret: SECRET })
      const path = `/oauth-clients/${made.body().id}/rotate-secret`
      const response =
        what === 'a rotation' ? await send(client, path, { clientSecret: SECRET }) : made
      const used = client.post('/oauth/introspect').basicAuth(made.body().clientId, SECRET)
      const introspected = await used.form({ token: 'x' })
      assert.equal(response.body().clientSecret, SECRET)
      introspected.assertStatus(200)
    })

  test('{what} is refused')
    .with([
      { what: 'one of 31 characters', clientSecret: SECRET.slice(0, 31) },
      { what: 'one of 257 characters', clientSecret: SECRET.repeat(6).slice(0, 257) },
      { what: 'one of seven signs', clientSecret: 'abcdefg'.repeat(6) },
      { what: 'one with an umlaut', clientSecret: `${SECRET}ü` },
      { what: 'one that ends with a blank', clientSecret: `${SECRET} ` },
      { what: 'a known password, repeated', clientSecret: 'Password1!'.repeat(4) },
    ])
    .run(async ({ client, assert }, { clientSecret }) => {
      const { id } = await clientWith()
      const responses = [
        await register(client, { clientSecret }),
        await send(client, `/oauth-clients/${id}/rotate-secret`, { clientSecret }),
      ]
      for (const response of responses) {
        response.assertStatus(400)
        assert.equal(response.body().errors[0].field, 'clientSecret')
      }
    })

  test('one of {length} characters is kept')
    .with([{ length: 32 }, { length: 256 }])
    .run(async ({ client }, { length }) => {
      const clientSecret = SECRET.repeat(6).slice(0, length)
      const response = await register(client, { clientSecret })
      response.assertStatus(201)
    })

  test('a client without a secret takes none', async ({ client, assert }) => {
    const given = { tokenEndpointAuthMethod: 'none', clientSecret: SECRET }
    const response = await register(client, given)
    response.assertStatus(400)
    assert.equal(response.body().errors[0].field, 'clientSecret')
  })

  test('the present one is no rotation', async ({ client, assert }) => {
    const { client: made } = await createClient({ ...GRAFANA, clientSecret: SECRET }, SYSTEM)
    await send(client, `/oauth-clients/${made.id}/rotate-secret`, { clientSecret: SECRET })
    const row = await db.from('oauth_clients').where('id', made.id).firstOrFail()
    assert.isNull(row.former_secret_hash)
  })

  test('a key brings one along for a third party', async ({ client }) => {
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const request = client.post('/oauth-clients').headers(headers)
    const response = await request.json({ ...GRAFANA, clientId: someId(), clientSecret: SECRET })
    response.assertStatus(201)
  })
})
