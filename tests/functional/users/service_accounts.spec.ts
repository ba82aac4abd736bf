import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { createKey } from '#auth/api_keys/create_key'
import { hasAdmin } from '#users/has_admin'
import { addServiceAccount } from '#users/service_accounts'
import { exportUsers } from '#users/transfer/export'
import { prepareUser } from '#users/transfer/imported_user'
import { findUserByName } from '#users/find_user'
import { setPassword } from '#users/change_password'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { SYSTEM, userActor } from '#audit/actor'
import { createAdmin, keyOf, login, PASSWORD, signedIn } from '#tests/support/fixtures'
import { mailsTo } from '#tests/support/mail'
import type { Scope } from '#auth/api_keys/scopes'

function newcomer(role = 'User') {
  return addServiceAccount({ username: 'billing-worker', role }, SYSTEM)
}

const newKey = { name: 'Report', scopes: ['profile:read'] as Scope[] }

test.group('Service account | creation', () => {
  test('an administrator creates one by name', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const body = { kind: 'service', username: 'billing-worker' }
    const response = await client.post('/users').headers(headers).json(body)
    response.assertStatus(201)
    const { kind, email, emailVerified, role, username } = response.body()
    assert.deepEqual(
      { kind, email, emailVerified, role, username },
      { ...body, email: null, emailVerified: false, role: 'User' }
    )
  })

  test('it gets no e-mail and no password', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const body = { kind: 'service', username: 'worker', email: 'a@b.example', password: PASSWORD }
    const response = await client.post('/users').headers(headers).json(body)
    const { id, email } = response.body()
    const { password } = await User.findOrFail(id)
    assert.isNull(email)
    assert.isNull(password)
  })

  test('the database itself refuses it a password', async ({ assert }) => {
    const { id } = await newcomer()
    const update = db.from('users').where('id', id).update({ password: 'x' })
    await assert.rejects(async () => {
      await update
    })
  })

  test('a person says so in the record', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const profile = await client.get('/auth/profile').headers(headers)
    assert.equal(profile.body().kind, 'person')
  })
})

test.group('Service account | keys', () => {
  test('an administrator makes a key that works', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { id } = await newcomer()
    const body = { name: 'Worker', scopes: ['profile:read', 'tokens:introspect'] }
    const made = await client.post(`/users/${id}/api-keys`).headers(headers).json(body)
    made.assertStatus(201)
    const authorization = `Bearer ${made.body().key}`
    const profile = await client.get('/auth/profile').header('authorization', authorization)
    profile.assertStatus(200)
    assert.equal(profile.body().username, 'billing-worker')
    const asked = client.post('/oauth/introspect').header('authorization', authorization)
    const answer = await asked.form({ token: 'x' })
    assert.deepEqual(answer.body(), { active: false })
  })

  test('with the role Admin it administers', async ({ client }) => {
    const { headers } = await keyOf(await newcomer('Admin'), ['users:read'])
    const response = await client.get('/users').headers(headers)
    response.assertStatus(200)
  })

  test('disabling it ends its keys', async ({ client }) => {
    const account = await newcomer()
    const { headers } = await keyOf(account)
    await disableUser(account.id, {}, SYSTEM)
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(401)
  })

  test('the administrator who made a key is told', async ({ assert }) => {
    const [maker, other] = [await createAdmin(), await createAdmin()]
    const account = await newcomer()
    const actor = userActor(maker.id, { ip: '203.0.113.1', userAgent: null })
    await createKey(account.id, newKey, { ...actor, hasRecentAuthentication: true })
    const mails = [await mailsTo(maker.email), await mailsTo(other.email)]
    assert.deepEqual(
      mails.map((list) => list.length),
      [1, 0]
    )
    assert.deepEqual(await mailsTo(account.email), [])
  })

  test('of a command every administrator is told', async ({ assert }) => {
    await db.from('users').where('role', 'Admin').update({ role: 'User' })
    const admins = [await createAdmin(), await createAdmin()]
    const account = await newcomer('Admin')
    await createKey(account.id, newKey, SYSTEM)
    const mails = await Promise.all(admins.map(({ email }) => mailsTo(email)))
    assert.deepEqual(
      mails.map((list) => list.length),
      [1, 1]
    )
    assert.deepEqual(await mailsTo(account.email), [])
  })
})

test.group('Service account | what it is not', () => {
  test('it does not count as the last administrator', async ({ client, assert }) => {
    await db.from('users').where('role', 'Admin').update({ role: 'User' })
    const admin = await createAdmin()
    await newcomer('Admin')
    const { headers } = await signedIn(client, admin)
    const body = { role: 'User' }
    const response = await client.put(`/users/${admin.id}`).headers(headers).json(body)
    assert.equal(response.body().code, 'E_LAST_ADMIN')
  })

  test('one alone is no administrator of the installation', async ({ assert }) => {
    await db.from('users').where('role', 'Admin').update({ role: 'User' })
    await newcomer('Admin')
    assert.isFalse(await hasAdmin())
  })

  test('the API refuses the placeholder of a service account', async ({ client }) => {
    const { email } = await newcomer()
    const session = await login(client, { email })
    const registered = await client
      .post('/auth/register')
      .json({ email: 'x@service.invalid', username: 'Eve', password: PASSWORD })
    session.assertStatus(400)
    registered.assertStatus(400)
  })

  test('{action} is refused')
    .with([
      { action: 'lock' },
      { action: 'unlock' },
      { action: 'reset-mfa' },
      { action: 'send-password-reset' },
    ])
    .run(async ({ client, assert }, { action }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const { id } = await newcomer()
      const response = await client.post(`/users/${id}/${action}`).headers(headers)
      assert.equal(response.body().code, 'E_SERVICE_ACCOUNT')
    })

  test('a password for it is refused', async ({ assert }) => {
    const account = await newcomer()
    await assert.rejects(() => setPassword(account, PASSWORD, { actor: SYSTEM }))
  })

  test('an e-mail for it is refused', async ({ assert }) => {
    const { id } = await newcomer()
    await assert.rejects(() => updateUser(id, { email: 'a@b.example' }, SYSTEM))
    await assert.rejects(() => updateUser(id, { emailVerified: true }, SYSTEM))
  })
})

test.group('Service account | administration', () => {
  test('the record sent back unchanged is fine', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { id } = await newcomer()
    const read = await client.get(`/users/${id}`).headers(headers)
    const response = await client.put(`/users/${id}`).headers(headers).json(read.body())
    response.assertStatus(200)
    assert.isNull(response.body().email)
  })

  test('its kind cannot be changed', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { id } = await newcomer()
    const response = await client.put(`/users/${id}`).headers(headers).json({ kind: 'person' })
    response.assertStatus(400)
    assert.equal(response.body().errors[0].field, 'kind')
  })

  test('lists show it without an address', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { id } = await newcomer()
    const request = client.get('/users').headers(headers)
    const response = await request.qs({ search: 'billing-worker', limit: 100, sort: 'email' })
    const found = response.body().data.find((user: { id: string }) => user.id === id)
    assert.isNull(found.email)
  })

  test('it is deleted with its keys', async ({ client }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const account = await newcomer()
    const key = await keyOf(account)
    const deleted = await client.delete(`/users/${account.id}`).headers(headers)
    const profile = await client.get('/auth/profile').headers(key.headers)
    deleted.assertStatus(200)
    profile.assertStatus(401)
  })

  test('operators name it by its name', async ({ assert }) => {
    const username = `worker-${Date.now()}`
    const { id } = await addServiceAccount({ username }, SYSTEM)
    const found = await findUserByName(username)
    assert.equal(found?.id, id)
    await addServiceAccount({ username }, SYSTEM)
    assert.isNull(await findUserByName(username))
  })

  test('an export of it can be imported', async ({ assert }) => {
    const account = await newcomer()
    const exported = await Array.fromAsync(exportUsers({ search: account.username }))
    const row = exported.find(({ id }) => id === account.id)!
    const prepared = prepareUser(row, 'gatehouse')
    if (prepared.outcome === 'refused') throw new Error(prepared.reason)
    assert.isNull(row.email)
    assert.containsSubset(prepared.user, { id: account.id, kind: 'service', password: null })
    assert.equal(prepared.user.email, account.email)
  })
})
