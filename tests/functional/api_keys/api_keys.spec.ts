import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { createKey } from '#auth/api_keys/create_key'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { SYSTEM } from '#audit/actor'
import { listAuditEvents } from '#audit/trail/query'
import {
  bearer,
  createAdmin,
  createUser,
  keyOf,
  login,
  PASSWORD,
  signedIn,
} from '#tests/support/fixtures'
import { mailsTo } from '#tests/support/mail'
import { until } from '#tests/support/waiting'
import type { ApiClient } from '@japa/api-client'

const DAY_MS = 86_400_000

async function newcomer(client: ApiClient, user?: User) {
  const owner = user ?? (await createUser())
  return { owner, ...(await signedIn(client, owner)) }
}

const NEW_KEY = { name: 'Nightly report', scopes: ['profile:read'] }

const FORM = '0190b5b0-0000-7000-8000-000000000001'

test.group('API keys | one form', () => {
  const ofForm = (user: User) =>
    createKey(user.id, { name: 'Report', scopes: ['profile:read'], formId: FORM }, SYSTEM)

  async function statusOf(client: ApiClient, key: string) {
    const response = await client.get('/auth/profile').header('authorization', `Bearer ${key}`)
    return response.status()
  }

  test('sent twice makes one key with the later secret', async ({ client, assert }) => {
    const user = await createUser()
    const [first, second] = [await ofForm(user), await ofForm(user)]
    assert.deepEqual(second.record, first.record)
    assert.equal(await statusOf(client, first.key), 401)
    assert.equal(await statusOf(client, second.key), 200)
    assert.lengthOf(await mailsTo(user.email), 1)
  })

  test('sent several times at once makes one key', async ({ assert }) => {
    const user = await createUser()
    await Promise.all([ofForm(user), ofForm(user), ofForm(user)])
    assert.lengthOf(await listKeys(user.id), 1)
  })

  test('of another user makes another key', async ({ client, assert }) => {
    const first = await ofForm(await createUser())
    await ofForm(await createUser())
    assert.equal(await statusOf(client, first.key), 200)
  })

  test('leaves a key alone that was used', async ({ client, assert }) => {
    const user = await createUser()
    const { key, record } = await ofForm(user)
    await statusOf(client, key)
    await until(async () => {
      const [listed] = await listKeys(user.id)
      return listed.lastUsedAt !== null
    })
    const later = await ofForm(user)
    assert.notEqual(later.record.id, record.id)
    assert.equal(await statusOf(client, key), 200)
  })

  test('does not bring a revoked secret back', async ({ client, assert }) => {
    const user = await createUser()
    const { key, record } = await ofForm(user)
    await revokeKey(user.id, record.id, SYSTEM)
    await ofForm(user)
    assert.equal(await statusOf(client, key), 401)
  })
})

test.group('API keys | making one', () => {
  test('answers with the key, once', async ({ client, assert }) => {
    const { headers } = await newcomer(client)
    const response = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    response.assertStatus(201)
    const { key, ...record } = response.body()
    const list = await client.get('/auth/api-keys').headers(headers)
    assert.deepEqual(list.body(), [record])
    assert.equal(key.split('_')[1], record.id)
    assert.isNull(record.lastUsedAt)
  })

  test('stores nothing from which the key could be read', async ({ client, assert }) => {
    const { headers, owner } = await newcomer(client)
    const response = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    const secret = response.body().key.split('_')[2]
    const row = await db.from('api_keys').where('user_id', owner.id).first()
    const events = await db.from('audit_events').where('target_id', owner.id)
    assert.notInclude(JSON.stringify([row, events, await mailsTo(owner.email)]), secret)
  })

  test('it lives for ninety days by default', async ({ client, assert }) => {
    freezeTime()
    const { headers } = await newcomer(client)
    const response = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    assert.equal(Date.parse(response.body().expiresAt), Date.now() + 90 * DAY_MS)
  })

  test('an end {ms} ms from now is answered {status}')
    .with([
      { ms: 0, status: 400 },
      { ms: 1, status: 201 },
      { ms: 366 * DAY_MS, status: 201 },
      { ms: 366 * DAY_MS + 1, status: 400 },
    ])
    .run(async ({ client }, { ms, status }) => {
      freezeTime()
      const { headers } = await newcomer(client)
      const expiresAt = new Date(Date.now() + ms).toISOString()
      const body = { ...NEW_KEY, expiresAt }
      const response = await client.post('/auth/api-keys').headers(headers).json(body)
      response.assertStatus(status)
    })

  test('{what} is refused')
    .with([
      { what: 'no name', change: { name: '' } },
      { what: 'no scope', change: { scopes: [] } },
      { what: 'an unknown scope', change: { scopes: ['everything'] } },
      { what: 'a scope twice', change: { scopes: ['profile:read', 'profile:read'] } },
    ])
    .run(async ({ client }, { change }) => {
      const { headers } = await newcomer(client)
      const body = { ...NEW_KEY, ...change }
      const response = await client.post('/auth/api-keys').headers(headers).json(body)
      response.assertStatus(400)
    })

  test('a scope beyond the role is refused', async ({ client, assert }) => {
    const { headers } = await newcomer(client)
    const body = { ...NEW_KEY, scopes: ['profile:read', 'users:read'] }
    const response = await client.post('/auth/api-keys').headers(headers).json(body)
    response.assertStatus(403)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
  })

  test('of sixty requests at once fifty make one', async ({ client, assert }) => {
    const { headers, owner } = await newcomer(client)
    const requests = Array.from({ length: 60 }, () =>
      client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    )
    const responses = await Promise.all(requests)
    const refused = responses.filter((response) => response.status() === 409)
    const [{ total }] = await db.from('api_keys').where('user_id', owner.id).count('* as total')
    assert.equal(Number(total), 50)
    assert.lengthOf(refused, 10)
    assert.equal(refused[0].body().code, 'E_API_KEY_LIMIT')
  })

  test('an expired key makes room for another', async ({ client }) => {
    const { headers, owner } = await newcomer(client)
    for (let count = 0; count < 50; count++) await keyOf(owner)
    const [{ id }] = await db.from('api_keys').where('user_id', owner.id).limit(1)
    await db
      .from('api_keys')
      .where('id', id)
      .update({ expires_at: Date.now() - 1 })
    const response = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    response.assertStatus(201)
  })

  test('an old session has to prove its owner', async ({ client, assert }) => {
    const { headers, sessionId, owner } = await newcomer(client)
    await ageSession(owner.id, sessionId)
    const refused = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    assert.equal(refused.body().code, 'E_RECENT_LOGIN_REQUIRED')
    const proof = { ...NEW_KEY, currentPassword: PASSWORD }
    const made = await client.post('/auth/api-keys').headers(headers).json(proof)
    made.assertStatus(201)
    const wrong = { ...NEW_KEY, currentPassword: 'Wrong-h0rse!' }
    const guessed = await client.post('/auth/api-keys').headers(headers).json(wrong)
    assert.equal(guessed.body().code, 'E_INCORRECT_PASSWORD')
  })

  test('mails its owner and is recorded', async ({ client, assert }) => {
    const { headers, owner } = await newcomer(client, await createUser())
    const response = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    const { id } = response.body()
    const mails = await mailsTo(owner.email)
    const where = { target_id: owner.id, action: 'api_key.created' }
    const event = await db.from('audit_events').where(where).first()
    assert.deepEqual(
      mails.filter(({ kind }) => kind === 'api_key_created').map(({ user_id: userId }) => userId),
      [owner.id]
    )
    assert.equal(JSON.parse(event.details).keyId, id)
  })
})

/** Moves the start and the last proof of a session back by eleven minutes. */
async function ageSession(userId: string, sessionId: string) {
  const { default: store } = await import('#auth/store/service')
  const session = await store.findSession(userId, sessionId, Date.now())
  const at = Date.now() - 660_000
  const aged = { ...session!, createdAt: at, authenticatedAt: at }
  await store.endSession(userId, sessionId)
  await db.from('revocations').where('session_id', sessionId).delete()
  await store.startSession(aged, 50)
}

test.group('API keys | using one', () => {
  test('it acts for its owner', async ({ client, assert }) => {
    const owner = await createUser()
    const { headers } = await keyOf(owner)
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(200)
    assert.equal(response.body().id, owner.id)
  })

  test('a wrong secret is answered like an unknown key', async ({ client, assert }) => {
    const owner = await createUser()
    const [one, other] = [await keyOf(owner), await keyOf(owner)]
    await db
      .from('api_keys')
      .where('id', one.id)
      .update({ key_hash: 'x'.repeat(43) })
    await revokeKey(owner.id, other.id, SYSTEM)
    const answers = [one, other].map(({ headers }) => client.get('/auth/profile').headers(headers))
    const [wrong, unknown] = await Promise.all(answers)
    const bodyOf = ({ requestId: _, ...body }: any) => body
    wrong.assertStatus(401)
    assert.equal(wrong.header('www-authenticate'), 'Bearer error="invalid_token"')
    assert.deepEqual(bodyOf(wrong.body()), bodyOf(unknown.body()))
  })

  test('its last use and address are shown', async ({ client, assert }) => {
    const { headers: own, owner } = await newcomer(client)
    const { headers } = await keyOf(owner)
    await client.get('/auth/profile').headers(headers).header('x-forwarded-for', '198.51.100.4')
    const used = await until(async () => {
      const list = await client.get('/auth/api-keys').headers(own)
      const [record] = list.body()
      return record.lastUsedAt ? record : null
    })
    assert.equal(used.lastUsedIp, '198.51.100.4')
  })

  test('its use is written once a minute', async ({ client, assert }) => {
    freezeTime()
    const { id, headers } = await keyOf(await createUser())
    const lastUse = async () => {
      const row = await db.from('api_keys').where('id', id).first()
      return row.last_used_at
    }
    await client.get('/auth/profile').headers(headers)
    const first = Number(await until(lastUse))
    timeTravel(60_000)
    await client.get('/auth/profile').headers(headers)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(Number(await lastUse()), first)
    timeTravel(1)
    await client.get('/auth/profile').headers(headers)
    const later = await until(async () => {
      const at = Number(await lastUse())
      return at > first ? at : null
    })
    assert.equal(later, first + 60_001)
  })

  test('it is refused in a query string', async ({ client }) => {
    const { key } = await keyOf(await createUser())
    for (const name of ['access_token', 'api_key', 'key', 'token']) {
      const response = await client.get('/auth/profile').qs({ [name]: key })
      response.assertStatus(401)
    }
  })

  test('it ends at its time', async ({ client }) => {
    freezeTime()
    const { headers } = await keyOf(await createUser())
    timeTravel(90 * DAY_MS - 1)
    const last = await client.get('/auth/profile').headers(headers)
    last.assertStatus(200)
    timeTravel(1)
    const ended = await client.get('/auth/profile').headers(headers)
    ended.assertStatus(401)
  })

  test('its events name the key', async ({ client, assert }) => {
    const [admin, other] = [await createAdmin(), await createUser()]
    const { id, headers } = await keyOf(admin, ['users:write'])
    await client.put(`/users/${other.id}`).headers(headers).json({ nickname: 'Countess' })
    const where = { target_id: other.id, action: 'account.updated' }
    const event = await db.from('audit_events').where(where).first()
    assert.equal(event.actor, `key:${id}`)
    assert.equal(event.actor_id, admin.id)
  })
})

test.group('API keys | the next request', () => {
  test('is refused after {what}')
    .with([
      { what: 'a revocation', change: (user: User, id: string) => revokeKey(user.id, id, SYSTEM) },
      {
        what: 'disabling',
        change: (user: User) => disableUser(user.id, {}, SYSTEM),
      },
      { what: 'deletion', change: (user: User) => deleteUser(user.id, SYSTEM) },
    ])
    .run(async ({ client }, { change }) => {
      const owner = await createUser()
      const { id, headers } = await keyOf(owner)
      const before = await client.get('/auth/profile').headers(headers)
      before.assertStatus(200)
      await change(owner, id)
      const after = await client.get('/auth/profile').headers(headers)
      after.assertStatus(401)
    })

  test('is refused by every route after a demotion', async ({ client, assert }) => {
    await createAdmin()
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['profile:read', 'users:read'])
    await changeRole(owner.id, 'User', SYSTEM)
    for (const path of ['/users', '/auth/profile']) {
      const response = await client.get(path).headers(headers)
      response.assertStatus(401)
      assert.equal(response.header('www-authenticate'), 'Bearer error="invalid_token"')
    }
  })

  test('stays refused when the role comes back', async ({ client, assert }) => {
    await createAdmin()
    const owner = await createAdmin()
    const { id, headers } = await keyOf(owner, ['profile:read', 'users:read'])
    await changeRole(owner.id, 'User', SYSTEM)
    await changeRole(owner.id, 'Admin', SYSTEM)
    const response = await client.get('/users').headers(headers)
    response.assertStatus(401)
    const revoked = { action: 'api_key.revoked', target: owner.id }
    const { events } = await listAuditEvents(revoked, { page: 1, limit: 10 })
    assert.lengthOf(events, 1)
    assert.containsSubset(events[0].details, { keyId: id, reason: 'role_changed' })
  })

  test('goes on after a demotion that it does not need', async ({ client }) => {
    await createAdmin()
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['profile:read'])
    await changeRole(owner.id, 'User', SYSTEM)
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(200)
  })

  test('with {scope} is {status} after a promotion')
    .with([
      { scope: 'sessions:read', status: 401 },
      { scope: 'sessions:write', status: 401 },
      { scope: 'profile:read', status: 403 },
    ] as const)
    .run(async ({ client, assert }, { scope, status }) => {
      const [admin, owner] = [await createAdmin(), await createUser()]
      const { headers } = await keyOf(owner, [scope])
      await changeRole(owner.id, 'Admin', SYSTEM)
      const response = await client.get(`/users/${admin.id}/sessions`).headers(headers)
      response.assertStatus(status)
      const filter = { action: 'api_key.revoked', target: owner.id } as const
      const { events } = await listAuditEvents(filter, { page: 1, limit: 10 })
      assert.lengthOf(events, status === 401 ? 1 : 0)
    })

  test('of a key goes on after a logout everywhere', async ({ client }) => {
    const { headers: own, owner } = await newcomer(client)
    const { headers } = await keyOf(owner)
    await client.post('/auth/logout-all').headers(own)
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(200)
  })
})

test.group('API keys | revoking one', () => {
  test('the owner revokes it', async ({ client }) => {
    const { headers, owner } = await newcomer(client)
    const { id } = await keyOf(owner)
    const revoked = await client.delete(`/auth/api-keys/${id}`).headers(headers)
    const again = await client.delete(`/auth/api-keys/${id}`).headers(headers)
    revoked.assertStatus(200)
    again.assertStatus(404)
  })

  test('an API key of {whose} is not found')
    .with([{ whose: 'somebody else' }, { whose: 'a malformed id' }])
    .run(async ({ client }, { whose }) => {
      const { headers } = await newcomer(client)
      const other = await keyOf(await createUser())
      const id = whose === 'somebody else' ? other.id : 'x%00y'
      const response = await client.delete(`/auth/api-keys/${id}`).headers(headers)
      response.assertStatus(404)
      const unharmed = await client.get('/auth/profile').headers(other.headers)
      unharmed.assertStatus(200)
    })

  test('a first proof of the address revokes all', async ({ client }) => {
    const owner = await createUser({ isVerified: false })
    const { headers } = await keyOf(owner)
    const { issueOneTimeToken } = await import('#auth/tokens/issue_one_time_token')
    const { resetPassword } = await import('#users/password_recovery')
    const subject = { id: owner.id, email: owner.email }
    const token = await db.transaction((trx) =>
      issueOneTimeToken(subject, { purpose: 'password_reset' }, trx)
    )
    await resetPassword(
      { token, password: 'Another-h0rse!' },
      { ip: '203.0.113.1', userAgent: null }
    )
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(401)
  })
})

test.group('API keys | administrators', () => {
  test('administrators make, list and revoke keys of others', async ({ client, assert }) => {
    const { headers } = await newcomer(client, await createAdmin())
    const owner = await createUser()
    const path = `/users/${owner.id}/api-keys`
    const made = await client.post(path).headers(headers).json(NEW_KEY)
    const list = await client.get(path).headers(headers)
    made.assertStatus(201)
    assert.equal(list.body()[0].id, made.body().id)
    const revoked = await client.delete(`${path}/${made.body().id}`).headers(headers)
    revoked.assertStatus(200)
    const rest = await client.get(path).headers(headers)
    assert.deepEqual(rest.body(), [])
  })

  test('give no scope beyond the role of the owner', async ({ client, assert }) => {
    const { headers } = await newcomer(client, await createAdmin())
    const { id } = await createUser()
    const body = { ...NEW_KEY, scopes: ['users:read'] }
    const response = await client.post(`/users/${id}/api-keys`).headers(headers).json(body)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
  })

  test('other callers get 403 for anybody', async ({ client }) => {
    const { headers } = await newcomer(client)
    const { id } = await createUser()
    const response = await client.get(`/users/${id}/api-keys`).headers(headers)
    response.assertStatus(403)
  })
})

test.group('API keys | what no scope allows', () => {
  test('a key sets no role', async ({ client, assert }) => {
    const other = await createUser()
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const email = `${other.id}@example.net`
    const answers = [
      await client.put(`/users/${other.id}`).headers(headers).json({ role: 'Admin' }),
      await client
        .post('/users')
        .headers(headers)
        .json({ email, password: PASSWORD, role: 'Admin' }),
    ]
    for (const answer of answers) assert.equal(answer.body().code, 'E_INSUFFICIENT_SCOPE')
    await other.refresh()
    assert.equal(other.role, 'User')
  })

  test('a key vouches for no address', async ({ client, assert }) => {
    const other = await createUser({ isVerified: false })
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const body = { email: `${other.id}@example.net`, password: PASSWORD }
    const changed = client.put(`/users/${other.id}`).headers(headers)
    const added = client.post('/users').headers(headers)
    const answers = [
      await changed.json({ emailVerified: true }),
      await added.json({ ...body, emailVerified: true }),
    ]
    for (const answer of answers) {
      answer.assertStatus(403)
      assert.equal(answer.body().code, 'E_INSUFFICIENT_SCOPE')
    }
    const unverified = client.post('/users').headers(headers)
    const response = await unverified.json({ ...body, emailVerified: false })
    response.assertStatus(201)
    assert.isFalse(response.body().emailVerified)
  })

  test('a key sets no kind, and may send it back', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const put = async (kind: string) => {
      const { id } = await createUser()
      const response = await client.put(`/users/${id}`).headers(headers).json({ kind })
      return [response.status(), response.body().code]
    }
    assert.deepEqual(await put('service'), [403, 'E_INSUFFICIENT_SCOPE'])
    assert.deepEqual(await put('person'), [200, undefined])
  })

  test('a key makes no user with metadata of applications', async ({ client, assert }) => {
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['users:write'])
    const body = { email: `${owner.id}@example.net`, password: PASSWORD, appMetadata: { a: 1 } }
    const response = await client.post('/users').headers(headers).json(body)
    assert.deepEqual([response.status(), response.body().code], [403, 'E_INSUFFICIENT_SCOPE'])
  })

  test('a key makes a user of the first role', async ({ client, assert }) => {
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['users:write'])
    const body = { email: `${owner.id}@example.net`, password: PASSWORD }
    const response = await client.post('/users').headers(headers).json(body)
    response.assertStatus(201)
    assert.equal(response.body().role, 'User')
  })

  test('a key deletes a user and no administrator', async ({ client, assert }) => {
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['users:write'])
    const [other, admin] = [await createUser(), await createAdmin()]
    const deleted = await client.delete(`/users/${other.id}`).headers(headers)
    const refused = await client
      .delete(`/users/${admin.id}`)
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    deleted.assertStatus(200)
    assert.equal(refused.body().code, 'E_INSUFFICIENT_SCOPE')
  })

  test('a key does not delete its owner', async ({ client, assert }) => {
    await createAdmin()
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['users:write'])
    const response = await client.delete(`/users/${owner.id}`).headers(headers)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
  })

  test('a key does not move its owner’s address', async ({ client, assert }) => {
    const owner = await createAdmin()
    const { headers } = await keyOf(owner, ['users:write'])
    const body = { email: `${owner.id}@example.net`, currentPassword: PASSWORD }
    const response = await client.put(`/users/${owner.id}`).headers(headers).json(body)
    assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
    const session = await login(client, { email: owner.email })
    session.assertStatus(200)
  })

  test('a key neither moves nor verifies an address', async ({ client, assert }) => {
    const other = await createUser({ isVerified: false })
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const email = `${other.id}@example.net`
    for (const body of [{ email }, { emailVerified: true }, { email, emailVerified: true }]) {
      const response = await client.put(`/users/${other.id}`).headers(headers).json(body)
      assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
    }
    const renamed = await client
      .put(`/users/${other.id}`)
      .headers(headers)
      .json({ username: 'Augusta', email: other.email })
    renamed.assertStatus(200)
    await other.refresh()
    assert.isFalse(other.isEmailVerified)
  })
})

test.group('API keys | replaced password', () => {
  test('ends the keys that it made, no others', async ({ client }) => {
    const { owner, headers } = await newcomer(client)
    const made = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    made.assertStatus(201)
    const byOperator = await keyOf(owner)
    await setPassword(owner, 'Another-h0rse!', { actor: SYSTEM })
    const refused = await client.get('/auth/profile').headers(bearer(made.body().key))
    refused.assertStatus(401)
    const kept = await client.get('/auth/profile').headers(byOperator.headers)
    kept.assertStatus(200)
  })

  test('by the owner leaves every key', async ({ client }) => {
    const { headers } = await newcomer(client)
    const made = await client.post('/auth/api-keys').headers(headers).json(NEW_KEY)
    const changed = await client
      .post('/auth/change-password')
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: 'Another-h0rse!' })
    changed.assertStatus(200)
    const kept = await client.get('/auth/profile').headers(bearer(made.body().key))
    kept.assertStatus(200)
  })
})
