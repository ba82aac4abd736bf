import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const encode = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

async function asAdmin(client: ApiClient) {
  const admin = await createAdmin()
  return { admin, ...(await signedIn(client, admin)) }
}

async function asUser(client: ApiClient) {
  const user = await createUser()
  return { user, ...(await signedIn(client, user)) }
}

test.group('Users | permission', () => {
  test('is for administrators: {method} {path}')
    .with([
      { method: 'get', path: '/users' },
      { method: 'post', path: '/users' },
      { method: 'delete', path: '/users/:id' },
      { method: 'get', path: '/users/:id' },
      { method: 'put', path: '/users/:id' },
      { method: 'patch', path: '/users/:id/password' },
      { method: 'post', path: '/users/:id/unlock' },
      { method: 'post', path: '/users/:id/lock' },
      { method: 'post', path: '/users/:id/reset-mfa' },
      { method: 'post', path: '/users/:id/send-password-reset' },
      { method: 'get', path: '/users/:id/sessions' },
      { method: 'delete', path: '/users/:id/sessions' },
      { method: 'get', path: '/audit-events' },
    ] as const)
    .run(async ({ client, assert }, { method, path }) => {
      const { headers } = await asUser(client)
      const other = await createUser()
      const answers = []
      for (const id of [other.id, randomUUID(), 'nonsense']) {
        const target = path.replace(':id', id)
        const anonymous = await client[method](target)
        anonymous.assertStatus(401)
        const response = await client[method](target).headers(headers)
        response.assertStatus(403)
        const { requestId, ...body } = response.body()
        answers.push(body)
      }
      assert.equal(answers[0].message, 'Insufficient permissions')
      assert.deepEqual(answers[0], answers[1])
      assert.deepEqual(answers[0], answers[2])
    })

  test('does not let an administrator set a password', async ({ client }) => {
    const { headers } = await asAdmin(client)
    const other = await createUser()
    const response = await client
      .patch(`/users/${other.id}/password`)
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: 'Another-h0rse!' })
    response.assertStatus(403)
  })
})

test.group('Users | list', () => {
  test('pages through every user once', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const tag = randomUUID().slice(0, 8)
    for (let count = 0; count < 5; count++) await createUser({ username: `${tag} ${count}` })
    const names: string[] = []
    for (const page of [1, 2, 3]) {
      const response = await client
        .get('/users')
        .qs({ search: tag, page, limit: 2, sort: '-username' })
        .headers(headers)
      response.assertStatus(200)
      assert.deepEqual(response.body().meta, { total: 5, page, limit: 2 })
      names.push(...response.body().data.map((user: { username: string }) => user.username))
    }
    assert.deepEqual(
      names,
      [4, 3, 2, 1, 0].map((count) => `${tag} ${count}`)
    )
  })

  test('has ten users on a page by default', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const response = await client.get('/users').headers(headers)
    assert.containsSubset(response.body().meta, { page: 1, limit: 10 })
    assert.notInclude(response.text(), 'argon2')
  })

  test('answers {status} to {query}')
    .with([
      { query: 'page=0', status: 400 },
      { query: 'page=1', status: 200 },
      { query: 'page=2', status: 200 },
      { query: 'page=x', status: 400 },
      { query: 'page=1.5', status: 400 },
      { query: 'limit=0', status: 400 },
      { query: 'limit=1', status: 200 },
      { query: 'limit=100', status: 200 },
      { query: 'limit=101', status: 200, limit: 100 },
      { query: 'limit=-1', status: 400 },
      { query: 'role=Nobody', status: 400 },
      { query: 'status=asleep', status: 400 },
      { query: 'sort=password', status: 400 },
      { query: 'sort=-lastLoginAt', status: 200 },
    ])
    .run(async ({ client, assert }, { query, status, limit }) => {
      const { headers } = await asAdmin(client)
      const response = await client.get(`/users?${query}`).headers(headers)
      response.assertStatus(status)
      if (limit) assert.equal(response.body().meta.limit, limit)
      if (status === 400) assert.equal(response.body().errors[0].field, query.split('=')[0])
    })

  test('finds {search} as it is written')
    .with([{ search: '100%' }, { search: 'a_b' }, { search: 'back\\slash' }, { search: "O'Neil" }])
    .run(async ({ client, assert }, { search }) => {
      const { headers } = await asAdmin(client)
      const tag = randomUUID().slice(0, 8)
      const wanted = await createUser({ username: `${tag} ${search}` })
      await createUser({ username: `${tag} 100x axb backslash ONeil` })
      const response = await client
        .get('/users')
        .qs({ search: `${tag} ${search}`.toUpperCase() })
        .headers(headers)
      assert.deepEqual(
        response.body().data.map((user: { id: string }) => user.id),
        [wanted.id]
      )
    })

  test('finds a comma that is not encoded', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const tag = randomUUID().slice(0, 8)
    const { id } = await createUser({ username: `${tag},Ada` })
    const response = await client.get(`/users?search=${tag},Ada`).headers(headers)
    assert.equal(response.body().data[0].id, id)
  })

  test('follows cursors in version 2 by {sort}')
    .with([{ sort: 'email' }, { sort: '-email' }, { sort: 'lastLoginAt' }, { sort: '-createdAt' }])
    .run(async ({ client, assert }, { sort }) => {
      const { headers } = await asAdmin(client)
      const tag = randomUUID().slice(0, 8)
      const users = []
      for (let count = 0; count < 5; count++) users.push(await createUser({ username: tag }))
      await login(client, { email: users[2].email })
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const response = await client
          .get('/api/v2/users')
          .qs({ search: tag, limit: 2, sort, ...(cursor && { cursor }) })
          .headers(headers)
        response.assertStatus(200)
        seen.push(...response.body().data.map((user: { id: string }) => user.id))
        cursor = response.body().meta.nextCursor
      }
      const whole = await client
        .get('/users')
        .qs({ search: tag, limit: 100, sort })
        .headers(headers)
      assert.deepEqual(
        seen,
        whole.body().data.map((user: { id: string }) => user.id)
      )
      assert.lengthOf(seen, 5)
    })

  test('takes version 2 from the header too', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const response = await client.get('/users').headers(headers).header('x-api-version', '2')
    assert.property(response.body().meta, 'nextCursor')
  })

  test('refuses the cursor {cursor}')
    .with([
      { cursor: 'nonsense' },
      { cursor: encode(['createdAt', 'abc', randomUUID()]) },
      { cursor: encode(['createdAt', 1, 'x']) },
      { cursor: encode(['createdAt', 1e300, randomUUID()]) },
      { cursor: encode(['createdAt', 1e400, randomUUID()]) },
      { cursor: encode(['createdAt', 1.5, randomUUID()]) },
      { cursor: encode(['disabledAt', 1, randomUUID()]) },
      { cursor: encode(['email', 'a', randomUUID()]) },
      { cursor: encode(null) },
    ])
    .run(async ({ client, assert }, { cursor }) => {
      const { headers } = await asAdmin(client)
      const response = await client.get('/api/v2/users').qs({ cursor }).headers(headers)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'cursor')
    })
})

test.group('Users | versions', () => {
  test('do not exist at {path} with {version}')
    .with([
      { path: '/api/v2/auth/profile', version: undefined },
      { path: '/api/v3/users', version: undefined },
      { path: '/users', version: '3' },
      { path: '/users', version: 'two' },
      { path: '/auth/profile', version: '2' },
      { path: '/api/v1/users', version: '3' },
      { path: '/api/v2/users', version: 'abc' },
      { path: '/api/v2/users', version: '' },
    ])
    .run(async ({ client, assert }, { path, version }) => {
      const request = client.get(path)
      if (version !== undefined) request.header('x-api-version', version)
      const response = await request
      response.assertStatus(400)
      assert.equal(response.body().code, 'E_UNSUPPORTED_VERSION')
    })
})

test.group('Users | create', () => {
  test('makes a user that can sign in', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const email = someEmail()
    const response = await client
      .post('/users')
      .headers(headers)
      .json({ email, password: PASSWORD, nickname: 'Countess', role: 'Admin' })
    response.assertStatus(201)
    assert.containsSubset(response.body(), { email, nickname: 'Countess', role: 'Admin' })
    const session = await login(client, { email })
    session.assertStatus(200)
  })

  test('mails an invitation instead of a password: {$self}')
    .with([true, 'true', 1])
    .run(async ({ client, assert }, invite) => {
      const { headers } = await asAdmin(client)
      const email = someEmail()
      const response = await client.post('/users').headers(headers).json({ email, invite })
      response.assertStatus(201)
      const mails = await db.from('mails').where({ recipient: email, kind: 'invitation' })
      assert.lengthOf(mails, 1)
      const session = await login(client, { email })
      session.assertStatus(401)
    })

  test('counts an address as verified that you vouch for', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    for (const others of [{ password: PASSWORD }, { invite: true }]) {
      const body = { email: someEmail(), emailVerified: true, ...others }
      const response = await client.post('/users').headers(headers).json(body)
      response.assertStatus(201)
      assert.isTrue(response.body().emailVerified)
      const [event] = await recordsWhere({ target_id: response.body().id })
      assert.deepEqual(event.details, { role: 'User', emailVerified: true })
    }
  })

  test('takes no other word for it: {$self}')
    .with(['yes', [], {}])
    .run(async ({ client, assert }, emailVerified) => {
      const { headers } = await asAdmin(client)
      const body = { email: someEmail(), password: PASSWORD, emailVerified }
      const response = await client.post('/users').headers(headers).json(body)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'emailVerified')
    })

  test('needs a password or an invitation', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const response = await client.post('/users').headers(headers).json({ email: someEmail() })
    response.assertStatus(400)
    assert.equal(response.body().errors[0].field, 'password')
  })

  test('tells the shape of a password apart from the policy')
    .with([
      { password: 'Aa1!aaa', rules: ['minLength'] },
      { password: 'short', rules: ['minLength'] },
      { password: 'long enough', rules: ['uppercase', 'digit', 'special'] },
      { password: 'aa1!aaaa', rules: ['uppercase'] },
    ])
    .run(async ({ client, assert }, { password, rules }) => {
      const { headers } = await asAdmin(client)
      const response = await client
        .post('/users')
        .headers(headers)
        .json({ email: someEmail(), password })
      response.assertStatus(400)
      const { errors } = response.body()
      assert.deepEqual(
        errors.map(({ rule }: { rule: string }) => rule),
        rules
      )
      assert.lengthOf(
        new Set(errors.map(({ message }: { message: string }) => message)),
        rules.length
      )
    })

  test('refuses an unknown role and a taken e-mail', async ({ client }) => {
    const { headers, admin } = await asAdmin(client)
    const create = (fields: object) =>
      client
        .post('/users')
        .headers(headers)
        .json({ email: someEmail(), password: PASSWORD, ...fields })
    const role = await create({ role: 'Root' })
    role.assertStatus(400)
    const taken = await create({ email: admin.email })
    taken.assertStatus(409)
  })
})

test.group('Users | one', () => {
  test('is shown to its owner and to administrators', async ({ client, assert }) => {
    const { user, headers } = await asUser(client)
    const own = await client.get(`/users/${user.id}`).headers(headers)
    own.assertStatus(200)
    assert.equal(own.body().email, user.email)
    const admin = await asAdmin(client)
    const theirs = await client.get(`/users/${user.id}`).headers(admin.headers)
    assert.deepEqual(theirs.body(), { ...own.body(), lockKind: null })
  })

  test('answers 404 to an administrator for {id}')
    .with([{ id: randomUUID() }, { id: 'nonsense' }, { id: '%00' }])
    .run(async ({ client, assert }, { id }) => {
      const { headers } = await asAdmin(client)
      const response = await client.get(`/users/${id}`).headers(headers)
      response.assertStatus(404)
      assert.equal(response.body().message, 'Resource not found')
    })

  test('keeps a role that is configured no more', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const user = await createUser({ role: 'Auditor' })
    const before = await client.get(`/users/${user.id}`).headers(headers)
    const response = await client.put(`/users/${user.id}`).headers(headers).json(before.body())
    response.assertStatus(200)
    assert.equal(response.body().role, 'Auditor')
  })

  test('an administrator cannot give an unconfigured role', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const user = await createUser()
    const response = await client
      .put(`/users/${user.id}`)
      .headers(headers)
      .json({ role: 'Auditor' })
    response.assertStatus(400)
    assert.equal(response.body().code, 'E_VALIDATION_ERROR')
    assert.containsSubset(response.body().errors, [{ field: 'role', rule: 'enum' }])
  })

  test('accepts its own record back unchanged', async ({ client, assert }) => {
    const { user, headers } = await asUser(client)
    const before = await client.get(`/users/${user.id}`).headers(headers)
    const response = await client.put(`/users/${user.id}`).headers(headers).json(before.body())
    response.assertStatus(200)
    assert.equal(response.body().email, user.email)
    const admin = await asAdmin(client)
    const again = await client
      .put(`/users/${user.id}`)
      .headers(admin.headers)
      .json({ ...before.body(), provider: 'google', mfaEnabled: true })
    again.assertStatus(200)
    assert.containsSubset(again.body(), { provider: null, mfaEnabled: false })
  })

  test('refuses a role of its own choice', async ({ client }) => {
    const { user, headers } = await asUser(client)
    const response = await client.put(`/users/${user.id}`).headers(headers).json({ role: 'Admin' })
    response.assertStatus(403)
  })

  test('ends every session when the {name} changes')
    .with([
      { name: 'role', change: { role: 'Admin' } },
      { name: 'permission to sign in', change: { disabled: true } },
    ])
    .run(async ({ client }, { change }) => {
      const { user, headers, refreshToken } = await asUser(client)
      const admin = await asAdmin(client)
      const changed = await client.put(`/users/${user.id}`).headers(admin.headers).json(change)
      changed.assertStatus(200)
      const profile = await client.get('/auth/profile').headers(headers)
      profile.assertStatus(401)
      const refresh = await client.post('/auth/refresh').json({ refreshToken })
      refresh.assertStatus(401)
    })

  test('lets an administrator verify and move an address', async ({ client, assert }) => {
    const { user } = await asUser(client)
    const { headers } = await asAdmin(client)
    const verified = await client
      .put(`/users/${user.id}`)
      .headers(headers)
      .json({ emailVerified: true })
    assert.isTrue(verified.body().emailVerified)
    const email = someEmail()
    const moved = await client.put(`/users/${user.id}`).headers(headers).json({ email })
    assert.containsSubset(moved.body(), { email, emailVerified: false })
  })

  test('is deleted once', async ({ client }) => {
    const { user, headers } = await asUser(client)
    const admin = await asAdmin(client)
    const first = await client.delete(`/users/${user.id}`).headers(admin.headers)
    first.assertStatus(200)
    const second = await client.delete(`/users/${user.id}`).headers(admin.headers)
    second.assertStatus(404)
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(401)
  })

  test('changes its own password through its path', async ({ client }) => {
    const { user, headers } = await asUser(client)
    const response = await client
      .patch(`/users/${user.id}/password`)
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: 'Another-h0rse!' })
    response.assertStatus(200)
  })
})

test.group('Users | NUL', () => {
  test('is refused in {path}')
    .with([
      { path: '/users', query: { search: 'a\0b' }, field: 'search' },
      { path: '/audit-events', query: { action: '\0' }, field: 'action' },
      { path: '/audit-events', query: { actor: 'user:\0' }, field: 'actor' },
    ])
    .run(async ({ client, assert }, { path, query, field }) => {
      const { headers } = await asAdmin(client)
      const response = await client.get(path).qs(query).headers(headers)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
    })
})

test.group('Users | last administrator', (group) => {
  group.each.setup(async () => {
    await db.from('users').where('role', 'Admin').update({ disabled_at: 1 })
  })

  test('cannot be {name}')
    .with([
      { name: 'deleted', method: 'delete', body: undefined },
      { name: 'demoted', method: 'put', body: { role: 'User' } },
      { name: 'disabled', method: 'put', body: { disabled: true } },
    ] as const)
    .run(async ({ client, assert }, { method, body }) => {
      const { admin, headers } = await asAdmin(client)
      const request = client[method](`/users/${admin.id}`).headers(headers)
      const response = await (body ? request.json(body) : request)
      response.assertStatus(409)
      assert.equal(response.body().code, 'E_LAST_ADMIN')
    })

  test('cannot be locked', async ({ client, assert }) => {
    const { admin, headers } = await asAdmin(client)
    const response = await client.post(`/users/${admin.id}/lock`).headers(headers)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_LAST_ADMIN')
  })

  test('is one beside one whom an administrator locked', async ({ client, assert }) => {
    const [one, two] = [await asAdmin(client), await asAdmin(client)]
    const locked = await client.post(`/users/${two.admin.id}/lock`).headers(one.headers)
    locked.assertStatus(200)
    const response = await client.delete(`/users/${one.admin.id}`).headers(one.headers)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_LAST_ADMIN')
  })

  test('is one beside an invited one, who cannot sign in yet', async ({ client, assert }) => {
    const { admin, headers } = await asAdmin(client)
    await createAdmin({ password: null })
    const response = await client.delete(`/users/${admin.id}`).headers(headers)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_LAST_ADMIN')
  })

  test('stays when two remove each other at once', async ({ client, assert }) => {
    const [one, two] = [await asAdmin(client), await asAdmin(client)]
    const answers = await Promise.all([
      client.delete(`/users/${two.admin.id}`).headers(one.headers),
      client.delete(`/users/${one.admin.id}`).headers(two.headers),
    ])
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.equal(statuses[0], 200)
    /** 403: the session ended before its last authentication was looked up. */
    assert.include([401, 403, 409], statuses[1])
    const left = await User.query().where('role', 'Admin').whereNull('disabled_at')
    assert.lengthOf(left, 1)
  })
})

test.group('Users | actions', () => {
  test('lock and unlock a user', async ({ client, assert }) => {
    const { user } = await asUser(client)
    const { headers } = await asAdmin(client)
    const locked = await client.post(`/users/${user.id}/lock`).headers(headers)
    locked.assertStatus(200)
    assert.isString(locked.body().lockedUntil)
    const refused = await login(client, { email: user.email })
    refused.assertStatus(403)
    const unlocked = await client.post(`/users/${user.id}/unlock`).headers(headers)
    assert.isNull(unlocked.body().lockedUntil)
    const accepted = await login(client, { email: user.email })
    accepted.assertStatus(200)
  })

  test('lock until a time of choice', async ({ client, assert }) => {
    const { user } = await asUser(client)
    const { headers } = await asAdmin(client)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const response = await client.post(`/users/${user.id}/lock`).headers(headers).json({ until })
    assert.equal(response.body().lockedUntil, until)
    for (const wrong of ['tomorrow', '2000-01-01T00:00:00Z', new Date().toISOString()]) {
      const body = { until: wrong }
      const refused = await client.post(`/users/${user.id}/lock`).headers(headers).json(body)
      refused.assertStatus(400)
      assert.equal(refused.body().errors[0].field, 'until')
    }
    const kept = await client.get(`/users/${user.id}`).headers(headers)
    assert.equal(kept.body().lockedUntil, until)
  })

  test('show and end sessions', async ({ client, assert }) => {
    const { user, sessionId, headers } = await asUser(client)
    await signedIn(client, user)
    const admin = await asAdmin(client)
    const path = `/users/${user.id}/sessions`
    const listing = await client.get(path).headers(admin.headers)
    assert.lengthOf(listing.body(), 2)
    const one = await client.delete(`${path}/${sessionId}`).headers(admin.headers)
    one.assertStatus(200)
    const again = await client.delete(`${path}/${sessionId}`).headers(admin.headers)
    again.assertStatus(404)
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(401)
    const rest = await client.delete(path).headers(admin.headers)
    assert.equal(rest.body().endedSessions, 1)
  })

  test('send a password reset mail', async ({ client }) => {
    const { user } = await asUser(client)
    const { headers } = await asAdmin(client)
    const response = await client.post(`/users/${user.id}/send-password-reset`).headers(headers)
    response.assertStatus(202)
  })

  test('answer 404 for an unknown user')
    .with(['unlock', 'lock', 'reset-mfa', 'send-password-reset'].map((action) => ({ action })))
    .run(async ({ client }, { action }) => {
      const { headers } = await asAdmin(client)
      const response = await client.post(`/users/${randomUUID()}/${action}`).headers(headers)
      response.assertStatus(404)
    })
})
