import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { lockUser } from '#users/lock_user'
import {
  createAdmin,
  createUser,
  login,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import { recordsWhere } from '#tests/support/trail'

const WRONG = 'Wrong-h0rse!'
const RENEWED = 'Another-h0rse!'

function forgot(client: ApiClient, email: string) {
  const request = client.post('/auth/forgot-password').header('x-forwarded-for', someAddress())
  return request.json({ email })
}

function reset(client: ApiClient, token: string) {
  const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
  return request.json({ token, newPassword: RENEWED })
}

async function lockOut(client: ApiClient, email: string) {
  for (let count = 1; count <= 5; count++) await login(client, { email, password: WRONG })
}

/** Returns an answer without the parts that differ for each request. */
function shown(response: ApiResponse) {
  const isStable = ([name]: [string, unknown]) =>
    !['requestId', 'x-request-id', 'date'].includes(name)
  const known = (entries: object) => Object.fromEntries(Object.entries(entries).filter(isStable))
  return {
    status: response.status(),
    body: known(response.body()),
    headers: known(response.headers()),
  }
}

test.group('Lockout | lock', () => {
  test('the right password is refused during a lock', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    const response = await login(client, { email: user.email })
    response.assertStatus(403)
    assert.equal(response.body().message, 'Account locked due to multiple failed attempts')
  })

  test('further attempts do not extend a lock', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    const { lockedUntil } = await user.refresh()
    await login(client, { email: user.email, password: WRONG })
    await user.refresh()
    assert.equal(user.lockedUntil!.toMillis(), lockedUntil!.toMillis())
  })

  test('a lock leaves live sessions and refresh working', async ({ client }) => {
    const user = await createUser()
    const session = await signedIn(client, user)
    await lockOut(client, user.email)
    const profile = await client.get('/auth/profile').headers(session.headers)
    profile.assertStatus(200)
    const refresh = await client.post('/auth/refresh').json({ refreshToken: session.refreshToken })
    refresh.assertStatus(200)
  })

  test('a lock is stored with user and trail', async ({ client, assert }) => {
    const user = await createUser()
    freezeTime()
    await lockOut(client, user.email)
    await user.refresh()
    assert.equal(user.lockedUntil!.toMillis(), Date.now() + 1_800_000)
    const events = await db.from('audit_events').where('target_id', user.id).orderBy('id')
    assert.deepEqual(
      events.map((event) => event.action),
      [...Array(4).fill('login.failed'), 'account.locked']
    )
  })
})

test.group('Lockout | kinds of locks', () => {
  const until = Date.now() + 365 * 24 * 3_600_000

  test('a reset by mail leaves a lock by an administrator', async ({ client, assert }) => {
    const user = await createUser()
    await lockUser(user.id, until, SYSTEM)
    await forgot(client, user.email)
    const response = await reset(client, await mailedToken(user.email, 'password_reset'))
    response.assertStatus(200)
    const refused = await login(client, { email: user.email, password: RENEWED })
    refused.assertStatus(403)
    await user.refresh()
    assert.equal(user.lockedUntil!.toMillis(), until)
  })

  test('a reset by mail lifts a lock by failures', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    await forgot(client, user.email)
    await reset(client, await mailedToken(user.email, 'password_reset'))
    const session = await login(client, { email: user.email, password: RENEWED })
    session.assertStatus(200)
    await user.refresh()
    assert.isNull(user.lockKind)
    const events = await recordsWhere({ target_id: user.id, action: 'account.unlocked' })
    assert.deepEqual(
      events.map(({ details }) => details),
      [{ lockKind: 'failures', method: 'mail' }]
    )
  })

  test('administrators see who locked a user', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const [locked, failed] = [await createUser(), await createUser()]
    const lock = await client.post(`/users/${locked.id}/lock`).headers(headers)
    assert.equal(lock.body().lockKind, 'administrator')
    await lockOut(client, failed.email)
    const shownTo = await client.get(`/users/${failed.id}`).headers(headers)
    assert.equal(shownTo.body().lockKind, 'failures')
    const list = await client.get('/users').qs({ search: locked.email }).headers(headers)
    assert.equal(list.body().data[0].lockKind, 'administrator')
    const unlock = await client.post(`/users/${locked.id}/unlock`).headers(headers)
    assert.isNull(unlock.body().lockKind)
  })

  test('users do not see who locked them', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await lockUser(user.id, until, SYSTEM)
    for (const path of ['/auth/profile', `/users/${user.id}`]) {
      const response = await client.get(path).headers(headers)
      response.assertStatus(200)
      assert.notProperty(response.body(), 'lockKind')
    }
  })

  test('strangers get one answer to both kinds of locks', async ({ client, assert }) => {
    const [locked, failed] = [await createUser(), await createUser()]
    freezeTime()
    await lockUser(locked.id, Date.now() + 365 * 24 * 3_600_000, SYSTEM)
    await lockOut(client, failed.email)
    const answers = await Promise.all(
      [locked, failed].map(({ email }) => login(client, { email, password: WRONG }))
    )
    assert.deepEqual(shown(answers[0]), shown(answers[1]))
    assert.equal(answers[0].header('retry-after'), '1800')
  })
})

test.group('Lockout | unknown e-mails', () => {
  test('unknown addresses are answered like known ones', async ({ client, assert }) => {
    const { email: known } = await createUser()
    const unknown = someEmail()
    freezeTime()
    for (let count = 1; count <= 7; count++) {
      const answers = await Promise.all(
        [known, unknown].map((email) => login(client, { email, password: WRONG }))
      )
      const [first, second] = answers.map(shown)
      assert.deepEqual(first, second)
    }
  })
})

test.group('Lockout | parallel guessing', () => {
  test('five of sixty parallel guesses are evaluated', async ({ client, assert }) => {
    const user = await createUser()
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => login(client, { email: user.email, password: WRONG }))
    )
    const evaluated = answers.filter((answer) => answer.status() === 401)
    assert.isAtMost(evaluated.length, 4)
    const failures = await db
      .from('audit_events')
      .where('target_id', user.id)
      .whereIn('action', ['login.failed', 'account.locked'])
    assert.isAtMost(failures.length, 5)
    assert.isTrue(answers.every((answer) => [401, 403, 429, 503].includes(answer.status())))
  })
})
