import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { exportUsers } from '#users/transfer/export'
import { importUsers, type RefusedRow } from '#users/transfer/import'
import { readRows } from '#users/transfer/read_rows'
import { updateUser } from '#users/update_user'
import { applicationOf } from '#tests/support/delegates'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

async function asOwner(client: ApiClient) {
  const user = await createUser()
  const { headers } = await signedIn(client, user)
  const put = (body: object) => client.put('/auth/profile').headers(headers).json(body)
  return { user, headers, put }
}

async function asAdmin(client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  const user = await createUser()
  const put = (body: object) => client.put(`/users/${user.id}`).headers(headers).json(body)
  return { user, headers, put }
}

const errorOf = (response: { body(): any }) => response.body().errors?.[0]

test.group('Metadata | merge patch', () => {
  test('both objects are empty at first', async ({ client, assert }) => {
    const { put } = await asOwner(client)
    const response = await put({})
    const { metadata, appMetadata } = response.body()
    assert.deepEqual([metadata, appMetadata], [{}, {}])
  })

  /** The examples of RFC 7396, appendix A, within an object. */
  test('{patch} on {before} gives {after}')
    .with([
      { before: '{"a":"b"}', patch: '{"a":"c"}', after: '{"a":"c"}' },
      { before: '{"a":"b"}', patch: '{"b":"c"}', after: '{"a":"b","b":"c"}' },
      { before: '{"a":"b"}', patch: '{"a":null}', after: '{}' },
      { before: '{"a":"b","b":"c"}', patch: '{"a":null}', after: '{"b":"c"}' },
      { before: '{"a":["b"]}', patch: '{"a":"c"}', after: '{"a":"c"}' },
      { before: '{"a":"c"}', patch: '{"a":["b"]}', after: '{"a":["b"]}' },
      { before: '{"a":{"b":"c"}}', patch: '{"a":{"b":"d","c":null}}', after: '{"a":{"b":"d"}}' },
      { before: '{"a":[{"b":"c"}]}', patch: '{"a":[1]}', after: '{"a":[1]}' },
      { before: '{}', patch: '{"a":{"bb":{"ccc":null}}}', after: '{"a":{"bb":{}}}' },
      { before: '{"e":1}', patch: '{"a":1,"z":[null]}', after: '{"e":1,"a":1,"z":[null]}' },
    ])
    .run(async ({ client, assert }, { before, patch, after }) => {
      const { put } = await asOwner(client)
      await put({ metadata: JSON.parse(before) })
      const response = await put({ metadata: JSON.parse(patch) })
      assert.equal(JSON.stringify(response.body().metadata), after)
    })

  test('{name} is refused on its field')
    .with([
      { name: 'null as a whole', json: 'null' },
      { name: 'a list', json: '[1]' },
      { name: 'a text', json: '"x"' },
      { name: 'a number without end', json: '{"a":1e999}' },
      { name: '__proto__', json: '{"__proto__":{"isAdmin":true}}' },
      { name: '__proto__ in escapes', json: '{"\\u005f_proto__":{"isAdmin":true}}' },
      { name: 'constructor', json: '{"a":{"constructor":1}}' },
      { name: 'constructor with a prototype', json: '{"constructor":{"prototype":{"a":1}}}' },
      { name: 'prototype in a list', json: '{"a":[{"prototype":null}]}' },
      { name: 'six objects in one another', json: '{"a":{"a":{"a":{"a":{"a":{}}}}}}' },
      { name: 'twenty lists in one another', json: `{"a":${'['.repeat(20)}${']'.repeat(20)}}` },
    ])
    .run(async ({ client, assert }, { json }) => {
      const { user, headers } = await asOwner(client)
      const request = client.put('/auth/profile').headers(headers).type('application/json')
      const response = await request.json(`{"metadata":${json},"username":"Eve"}` as any)
      assert.equal(response.status(), 400, response.text())
      assert.equal(errorOf(response).field, 'metadata')
      const { username } = await User.findOrFail(user.id)
      assert.equal(username, user.username)
    })

  test('the size counts after the merge, in bytes', async ({ client, assert }) => {
    const { put } = await asOwner(client)
    await put({ metadata: { a: 'ä'.repeat(2_000) } })
    const tooMuch = await put({ metadata: { b: 'ä'.repeat(2_100) } })
    const instead = await put({ metadata: { a: null, b: 'ä'.repeat(2_100) } })
    assert.deepEqual([tooMuch.status(), instead.status()], [400, 200])
  })

  test('twenty changes at once are all kept', async ({ client, assert }) => {
    const { user } = await asOwner(client)
    const numbers = Array.from({ length: 20 }, (_, number) => `n${number}`)
    await Promise.all(
      numbers.map((name) => updateUser(user.id, { metadata: { [name]: 1 } }, SYSTEM))
    )
    const { metadata } = await User.findOrFail(user.id)
    assert.sameMembers(Object.keys(JSON.parse(metadata!)), numbers)
  })
})

test.group('Metadata | who reads and writes', () => {
  test('an administrator writes what the owner then reads', async ({ client, assert }) => {
    const { user, put } = await asAdmin(client)
    const written = await put({ metadata: { theme: 'dark' }, appMetadata: { plan: 'pro' } })
    const { headers } = await signedIn(client, user)
    const own = await client.get('/auth/profile').headers(headers)
    const expected = { metadata: { theme: 'dark' }, appMetadata: { plan: 'pro' } }
    for (const response of [written, own]) assert.containSubset(response.body(), expected)
  })

  test('an owner cannot change the app metadata, by {path}')
    .with([{ path: '/auth/profile' }, { path: '/users/:id' }])
    .run(async ({ client, assert }, { path }) => {
      const { user, headers } = await asOwner(client)
      await updateUser(user.id, { appMetadata: { plan: 'free' } }, SYSTEM)
      const send = (appMetadata: object) =>
        client.put(path.replace(':id', user.id)).headers(headers).json({ appMetadata })
      const changed = await send({ plan: 'pro' })
      const sentBack = await send({ plan: 'free' })
      assert.deepEqual([changed.status(), changed.body().code], [403, 'E_FORBIDDEN'])
      assert.deepEqual([sentBack.status(), sentBack.body().appMetadata], [200, { plan: 'free' }])
    })

  test('no list has either', async ({ client, assert }) => {
    const { user, headers } = await asAdmin(client)
    for (const version of ['1', '2']) {
      const request = client.get('/users').headers({ ...headers, 'x-api-version': version })
      const response = await request.qs({ search: user.email })
      assert.notProperty(response.body().data[0], 'metadata')
      assert.notProperty(response.body().data[0], 'appMetadata')
    }
  })

  test('the token of an application shows no app metadata, a key does', async ({
    client,
    assert,
  }) => {
    const admin = await createAdmin()
    await updateUser(admin.id, { appMetadata: { plan: 'pro' } }, SYSTEM)
    const { headers } = await applicationOf(admin)
    const key = await keyOf(admin, ['profile:read', 'users:read', 'users:write'])
    for (const path of ['/auth/profile', `/users/${admin.id}`]) {
      const shown = await client.get(path).headers(headers)
      const ofKey = await client.get(path).headers(key.headers)
      assert.deepEqual(shown.body().metadata, {})
      assert.notProperty(shown.body(), 'appMetadata')
      assert.deepEqual(ofKey.body().appMetadata, { plan: 'pro' })
    }
    const changed = await client.put(`/users/${admin.id}`).headers(headers).json({ nickname: 'A' })
    assert.notProperty(changed.body(), 'appMetadata')
  })

  test('the trail tells the field and no value', async ({ client, assert }) => {
    const { user, put } = await asAdmin(client)
    await put({ metadata: { diagnosis: 'gout' }, appMetadata: { plan: 'pro' } })
    const [event] = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    assert.deepEqual(event.details, { metadata: 'changed', appMetadata: 'changed' })
  })

  test('what changes nothing is no event', async ({ client, assert }) => {
    const { user, put } = await asAdmin(client)
    await put({ metadata: { a: { b: 1 } } })
    await put({ metadata: { a: { b: 1, c: null } } })
    const events = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    assert.lengthOf(events, 1)
  })
})

async function importRow(row: object) {
  const refused: RefusedRow[] = []
  const source = Readable.from([`${JSON.stringify(row)}\n`])
  const summary = await importUsers(readRows(source, 'ndjson'), {
    from: 'gatehouse',
    dryRun: false,
    actor: SYSTEM,
    onRefused: (refusal) => refused.push(refusal),
    onSkipped: () => {},
    onRenamed: () => {},
    onProgress: () => {},
  })
  return { summary, refused }
}

test.group('Metadata | export and import', () => {
  test('both come back', async ({ assert }) => {
    const { id, createdAt } = await createUser()
    const patch = { metadata: { a: 'Zoë\0' }, appMetadata: { list: [1, { b: null }] } }
    await updateUser(id, patch, SYSTEM)
    const rows = await Array.fromAsync(exportUsers({ createdFrom: createdAt.toMillis() }))
    await db.from('users').where({ id }).delete()
    await importRow(rows.find((row) => row.id === id)!)
    const { metadata, appMetadata } = await User.findOrFail(id)
    assert.deepEqual(JSON.parse(metadata!), patch.metadata)
    assert.deepEqual(JSON.parse(appMetadata!), patch.appMetadata)
  })

  test('the JSON of a cell is read, and a row with other metadata refused', async ({ assert }) => {
    const [good, bad] = ['{"plan":"pro"}', '{"constructor":1}']
    const email = (name: string) => `${name}-${Date.now()}@example.org`
    const first = await importRow({ email: email('good'), appMetadata: good })
    const second = await importRow({ email: email('bad'), appMetadata: bad })
    assert.equal(first.summary.imported, 1)
    assert.deepEqual(
      second.refused.map(({ field }) => field),
      ['appMetadata']
    )
  })
})
