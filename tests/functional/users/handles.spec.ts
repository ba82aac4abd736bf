import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { addServiceAccount } from '#users/service_accounts'
import { deleteUser } from '#users/delete_user'
import { updateUser } from '#users/update_user'
import {
  createAdmin,
  createUser,
  keyOf,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

const someName = () => `h${randomUUID().slice(0, 8)}`

async function register(client: ApiClient, username: string) {
  const response = await client
    .post('/auth/register')
    .header('x-forwarded-for', someAddress())
    .json({ email: someEmail(), username, password: PASSWORD })
  response.assertStatus(201)
  return response.body() as { id: string; handle: string }
}

async function asAdmin(client: ApiClient) {
  return signedIn(client, await createAdmin())
}

test.group('Handles | creation', () => {
  test('a second user of a name gets a number', async ({ client, assert }) => {
    const name = someName()
    const first = await register(client, name.toUpperCase())
    const second = await register(client, name)
    assert.deepEqual([first.handle, second.handle], [name, `${name}-2`])
  })

  test('twenty sign-ups at once all succeed with different handles', async ({ client, assert }) => {
    const name = someName()
    const users = await Promise.all(Array.from({ length: 20 }, () => register(client, name)))
    const handles = new Set(users.map(({ handle }) => handle))
    assert.lengthOf([...handles], 20)
    assert.isTrue(handles.has(name))
  })

  test('a user who signs up as {name} gets another handle')
    .with(['admin', 'Root', 'po.st-master', 'ｓｙｓｔｅｍ'].map((name) => ({ name })))
    .run(async ({ client, assert }, { name }) => {
      const { handle } = await register(client, name)
      assert.match(handle, /^[a-z.-]+-\d+$/)
    })

  test('an administrator gives any handle', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const handle = someName()
    const body = { email: someEmail(), password: PASSWORD, handle }
    const response = await client.post('/users').headers(headers).json(body)
    const again = { ...body, email: someEmail() }
    const taken = await client.post('/users').headers(headers).json(again)
    assert.equal(response.body().handle, handle)
    taken.assertStatus(409)
    assert.equal(taken.body().code, 'E_HANDLE_TAKEN')
    assert.isNull(await User.findBy('email', again.email))
  })

  test('a service account has one too', async ({ assert }) => {
    const username = someName()
    const { handle } = await addServiceAccount({ username }, SYSTEM)
    assert.equal(handle, username)
  })

  test('a row that another tool inserts gets one', async ({ assert }) => {
    const { id } = await createUser()
    const { handle, version, versionId, ...row } = await db
      .from('users')
      .where('id', id)
      .firstOrFail()
    const copy = { ...row, id: randomUUID(), email: someEmail() }
    await db.table('users').insert({ ...copy, handle: null })
    const user = await User.findOrFail(copy.id)
    assert.equal(user.handle, `user-${copy.id.replaceAll('-', '')}`)
  })

  test('the database refuses {handle}')
    .with(['Ada', '.a', 'a b', 'a'.repeat(64), null].map((handle) => ({ handle })))
    .run(async ({ assert }, { handle }) => {
      const { id } = await createUser()
      await assert.rejects(() => db.from('users').where('id', id).update({ handle }))
    })
})

test.group('Handles | change', () => {
  test('an administrator changes it with an event', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const user = await createUser()
    const handle = someName()
    const response = await client.put(`/users/${user.id}`).headers(headers).json({ handle })
    response.assertStatus(200)
    assert.equal(response.body().handle, handle)
    const event = await db
      .from('audit_events')
      .where({ target_id: user.id, action: 'account.updated' })
      .firstOrFail()
    assert.notInclude(JSON.stringify(event), handle)
  })

  test('{handle} is refused on its field')
    .with(['Ada', 'a b', '.ada', 'ä', '', 'a'.repeat(64), 7].map((handle) => ({ handle })))
    .run(async ({ client, assert }, { handle }) => {
      const { headers } = await asAdmin(client)
      const user = await createUser()
      const request = client.put(`/users/${user.id}`).headers(headers)
      const response = await request.unsafeJson({ handle })
      response.assertStatus(400)
      assert.containsSubset(response.body().errors, [{ field: 'handle' }])
    })

  test('a taken one is refused and changes nothing', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const [user, other] = [await createUser(), await createUser()]
    const body = { username: 'Other', handle: other.handle }
    const response = await client.put(`/users/${user.id}`).headers(headers).json(body)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_HANDLE_TAKEN')
    const { username } = await User.findOrFail(user.id)
    assert.equal(username, user.username)
  })

  test('of two changes to one handle at once one succeeds', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const users = [await createUser(), await createUser()]
    const handle = someName()
    const responses = await Promise.all(
      users.map(({ id }) => client.put(`/users/${id}`).headers(headers).json({ handle }))
    )
    assert.sameMembers(
      responses.map((response) => response.status()),
      [200, 409]
    )
  })

  test('a key never sets it, and may send it back', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['users:read', 'users:write'])
    const user = await createUser()
    const put = (body: object) => client.put(`/users/${user.id}`).headers(headers).json(body)
    const changed = await put({ handle: someName() })
    const sentBack = await put({ handle: user.handle, username: 'Eve' })
    const body = { email: someEmail(), password: PASSWORD, handle: someName() }
    const created = await client.post('/users').headers(headers).json(body)
    assert.deepEqual([changed.status(), sentBack.status(), created.status()], [403, 200, 403])
    assert.equal(changed.body().code, 'E_INSUFFICIENT_SCOPE')
    assert.equal(created.body().code, 'E_INSUFFICIENT_SCOPE')
  })
})

test.group('Handles | owner', () => {
  test('changes it until an application has received it', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const put = (handle: string) => client.put('/auth/profile').headers(headers).json({ handle })
    const first = await put(someName())
    await user.refresh()
    await db.from('users').where('id', user.id).update({ handle_received_at: Date.now() })
    const second = await put(someName())
    const same = await put(user.handle)
    assert.deepEqual([first.status(), second.status(), same.status()], [200, 403, 200])
    assert.equal(second.body().code, 'E_HANDLE_IN_USE')
  })

  test('gets no name of a role', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const request = client.put('/auth/profile').headers(headers)
    const response = await request.json({ handle: 'ad.min' })
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_HANDLE_TAKEN')
  })

  test('who is an administrator changes it at any time', async ({ client }) => {
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    await db.from('users').where('id', admin.id).update({ handle_received_at: Date.now() })
    const response = await client.put('/auth/profile').headers(headers).json({ handle: someName() })
    response.assertStatus(200)
  })
})

test.group('Handles | never given again', () => {
  test('a previous one stays with its user, who may go back', async ({ assert }) => {
    const [user, other] = [await createUser({ username: someName() }), await createUser()]
    const before = user.handle
    await updateUser(user.id, { handle: someName() }, SYSTEM)
    await assert.rejects(() => updateUser(other.id, { handle: before }, SYSTEM), /had it once/)
    const namesake = await createUser({ username: before })
    const back = await updateUser(user.id, { handle: before }, SYSTEM)
    assert.deepEqual([namesake.handle, back.handle], [`${before}-2`, before])
  })

  test('of a deleted user a hash without the user remains', async ({ client, assert }) => {
    const user = await createUser({ username: someName() })
    await deleteUser(user.id, SYSTEM)
    const { handle } = await register(client, user.handle)
    assert.equal(handle, `${user.handle}-2`)
    const rows = await db.from('handles').where('user_id', user.id)
    const named = await db
      .from('handles')
      .whereNull('user_id')
      .where('hash', 'like', `%${user.handle}%`)
    assert.deepEqual([rows, named], [[], []])
  })
})

test.group('Handles | lists', () => {
  test('search and sort know it', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const tag = someName()
    const users = [await createUser(), await createUser()]
    for (const [at, { id }] of users.entries())
      await updateUser(id, { handle: `x.${tag}.${at}` }, SYSTEM)
    const list = (qs: object) => client.get('/users').headers(headers).qs(qs)
    const found = await list({ search: `.${tag}.`, sort: '-handle' })
    const handles = found.body().data.map(({ handle }: { handle: string }) => handle)
    assert.deepEqual(handles, [`x.${tag}.1`, `x.${tag}.0`])
    const gone = await list({ search: `.${tag}.7` })
    assert.equal(gone.body().meta.total, 0)
  })
})
