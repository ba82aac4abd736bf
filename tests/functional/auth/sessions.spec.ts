import { randomUUID } from 'node:crypto'
import { test, timeTravel } from '@japa/runner'
import store from '#auth/store/service'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { listSessions, startSession } from '#auth/sessions/sessions'
import { bearer, createUser, login, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { person } from '../account/person.ts'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

const DEVICE = { id: 'default', ip: '198.51.100.7', userAgent: null }

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test.group('Sessions | list', () => {
  test('the list has each device and one current', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user)
    const laptop = { deviceId: 'laptop', userAgent: CHROME, address: '198.51.100.7' }
    const session = await signedIn(client, user, laptop)

    const response = await client.get('/auth/sessions').headers(session.headers)
    response.assertStatus(200)
    assert.lengthOf(response.body(), 2)
    const current = response.body().filter((each: { current: boolean }) => each.current)
    assert.lengthOf(current, 1)
    assert.containsSubset(current[0], {
      id: session.sessionId,
      deviceId: 'laptop',
      deviceName: 'Chrome on Windows',
      ip: '198.51.100.7',
      userAgent: CHROME,
    })
    assert.notProperty(current[0], 'refreshHash')
  })

  test('the list says how and when its holder signed in', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client.get('/auth/sessions').headers(headers)
    const [{ method, amr, authenticatedAt, createdAt }] = response.body()
    assert.deepEqual([method, amr], ['password', ['pwd']])
    assert.equal(authenticatedAt, createdAt)
  })

  test('the list names the code of a login', async ({ client, assert }) => {
    const user = await createUser()
    const code = await giveSecondFactor(user)
    const challenge = await login(client, { email: user.email })
    const { mfaToken } = challenge.body()
    const verified = await client.post('/auth/mfa/verify').json({ mfaToken, code })
    const { accessToken } = verified.body()
    const response = await client.get('/auth/sessions').headers(bearer(accessToken))
    assert.deepEqual(response.body()[0].amr, ['pwd', 'otp', 'mfa'])
  })

  test('a refresh renews no authentication', async ({ client, assert }) => {
    const { refreshToken } = await signedIn(client, await createUser())
    const startedAt = Date.now()
    timeTravel('5 minutes')
    const refreshed = await client.post('/auth/refresh').json({ refreshToken })
    const headers = bearer(refreshed.body().accessToken)
    const response = await client.get('/auth/sessions').headers(headers)
    const [{ authenticatedAt }] = response.body()
    assert.isAtMost(Date.parse(authenticatedAt), startedAt)
  })

  test('an end of no session leaves no event', async ({ assert }) => {
    const { browser, user, sessionId } = await person()
    await startSession(user, { device: DEVICE, ...BY_PASSWORD })
    for (let times = 0; times < 3; times++)
      await browser.submit('/account/sessions', {}, '/account/sessions/end-others')
    const events = await recordsWhere({ target_id: user.id, action: 'sessions.ended' })
    assert.deepEqual(
      events.map(({ details }) => details.endedSessions),
      [1]
    )
    const sessions = await listSessions(user.id)
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [sessionId]
    )
  })

  test('a login replaces the session of its device', async ({ client, assert }) => {
    const user = await createUser()
    const first = await signedIn(client, user, { deviceId: 'phone' })
    const second = await signedIn(client, user, { deviceId: 'phone' })
    const listing = await client.get('/auth/sessions').headers(second.headers)
    assert.lengthOf(listing.body(), 1)
    const old = await client.get('/auth/profile').headers(first.headers)
    old.assertStatus(401)
    assert.equal(old.body().message, 'Token has been revoked')
  })

  test('a login without device id replaces no session', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user)
    const second = await signedIn(client, user)
    const listing = await client.get('/auth/sessions').headers(second.headers)
    assert.lengthOf(listing.body(), 2)
  })

  test('the session after fifty ends the oldest', async ({ client, assert }) => {
    const user = await createUser()
    const oldest = await signedIn(client, user)
    let latest = oldest
    for (let count = 2; count <= 50; count++) latest = await signedIn(client, user)
    const before = await client.get('/auth/profile').headers(oldest.headers)
    before.assertStatus(200)
    latest = await signedIn(client, user)
    const after = await client.get('/auth/profile').headers(oldest.headers)
    after.assertStatus(401)
    const listing = await client.get('/auth/sessions').headers(latest.headers)
    assert.lengthOf(listing.body(), 50)
  })

  test('512 characters of a user agent are stored', async ({ client, assert }) => {
    const session = await signedIn(client, await createUser(), { userAgent: 'x'.repeat(600) })
    const listing = await client.get('/auth/sessions').headers(session.headers)
    assert.lengthOf(listing.body()[0].userAgent, 512)
  })

  test('a device id of {length} characters gets {status}')
    .with([
      { length: 127, status: 200 },
      { length: 128, status: 200 },
      { length: 129, status: 400 },
    ])
    .run(async ({ client }, { length, status }) => {
      const user = await createUser()
      const response = await client
        .post('/auth/login')
        .header('x-device-id', 'd'.repeat(length))
        .json({ email: user.email, password: 'Correct-h0rse!' })
      response.assertStatus(status)
    })
})

test.group('Sessions | headers', () => {
  test('a bad device id is named as a field', async ({ client, assert }) => {
    const user = await createUser()
    const request = client.post('/auth/login').header('x-device-id', 'd'.repeat(129))
    const response = await request.json({ email: user.email, password: 'Correct-h0rse!' })
    response.assertStatus(400)
    const { code, message, errors } = response.body()
    assert.deepEqual([code, message], ['E_VALIDATION_ERROR', 'request parameter error'])
    assert.equal(errors[0].field, 'x-device-id')
  })

  test('an empty session id ends the current session alone', async ({ client, assert }) => {
    const user = await createUser()
    const [other, current] = [await signedIn(client, user), await signedIn(client, user)]
    const response = await fetch(`http://127.0.0.1:${process.env.PORT}/auth/logout`, {
      method: 'POST',
      headers: { ...current.headers, 'x-session-id': '' },
    })
    assert.equal(response.status, 200)
    const [ended, kept] = await Promise.all(
      [current, other].map(({ headers }) => client.get('/auth/profile').headers(headers))
    )
    ended.assertStatus(401)
    kept.assertStatus(200)
  })
})

test.group('Sessions | ending', () => {
  test('a token is refused once its session ends', async ({ client, assert }) => {
    const user = await createUser()
    const [kept, ended] = [await signedIn(client, user), await signedIn(client, user)]
    const response = await client.delete(`/auth/sessions/${ended.sessionId}`).headers(kept.headers)
    response.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(ended.headers)
    profile.assertStatus(401)
    assert.equal(profile.body().message, 'Token has been revoked')
    const refresh = await client.post('/auth/refresh').json({ refreshToken: ended.refreshToken })
    refresh.assertStatus(401)
    assert.equal(refresh.body().message, 'Invalid refresh token')
  })

  test('a caller cannot end sessions of another user', async ({ client }) => {
    const [mine, theirs] = [
      await signedIn(client, await createUser()),
      await signedIn(client, await createUser()),
    ]
    const response = await client.delete(`/auth/sessions/${theirs.sessionId}`).headers(mine.headers)
    response.assertStatus(404)
    const profile = await client.get('/auth/profile').headers(theirs.headers)
    profile.assertStatus(200)
  })

  test('ending {name} answers 404')
    .with([
      { name: 'an unknown id', id: randomUUID() },
      { name: 'a malformed id', id: "x'--" },
    ])
    .run(async ({ client }, { id }) => {
      const { headers } = await signedIn(client, await createUser())
      const response = await client
        .delete(`/auth/sessions/${encodeURIComponent(id)}`)
        .headers(headers)
      response.assertStatus(404)
    })
})

test.group('Logout', () => {
  test('a logout ends the named session only', async ({ client }) => {
    const user = await createUser()
    const [named, other] = [await signedIn(client, user), await signedIn(client, user)]
    const response = await client
      .post('/auth/logout')
      .headers(other.headers)
      .header('x-session-id', named.sessionId)
    response.assertStatus(200)
    const ended = await client.get('/auth/profile').headers(named.headers)
    ended.assertStatus(401)
    const kept = await client.get('/auth/profile').headers(other.headers)
    kept.assertStatus(200)
  })

  test('a logout without header ends every session', async ({ client }) => {
    const user = await createUser()
    const sessions = [await signedIn(client, user), await signedIn(client, user)]
    await client.post('/auth/logout').headers(sessions[0].headers)
    for (const { headers } of sessions) {
      const response = await client.get('/auth/profile').headers(headers)
      response.assertStatus(401)
    }
  })

  test('a logout leaves sessions of other users', async ({ client }) => {
    const mine = await signedIn(client, await createUser())
    const theirs = await signedIn(client, await createUser())
    const response = await client
      .post('/auth/logout')
      .headers(mine.headers)
      .header('x-session-id', theirs.sessionId)
    response.assertStatus(200)
    for (const { headers } of [mine, theirs]) {
      const profile = await client.get('/auth/profile').headers(headers)
      profile.assertStatus(200)
    }
  })

  test("logout-all ends every session, the caller's included", async ({ client, assert }) => {
    const user = await createUser()
    const sessions = [await signedIn(client, user), await signedIn(client, user)]
    const response = await client.post('/auth/logout-all').headers(sessions[0].headers)
    response.assertStatus(200)
    assert.isString(response.body().message)
    for (const { headers, refreshToken } of sessions) {
      const profile = await client.get('/auth/profile').headers(headers)
      profile.assertStatus(401)
      const refresh = await client.post('/auth/refresh').json({ refreshToken })
      refresh.assertStatus(401)
    }
  })
})

test.group('Sessions | clock that went back', () => {
  test('a proof of {ahead} ms ahead is recent: {isRecent}')
    .with([
      { ahead: 60_000, isRecent: true },
      { ahead: 3_600_000, isRecent: false },
    ])
    .run(async ({ client, assert }, { ahead, isRecent }) => {
      const user = await createUser()
      const { sessionId, headers } = await signedIn(client, user)
      const proof = { amr: ['pwd'], at: Date.now() + ahead }
      await store.reauthenticateSession({ userId: user.id, sessionId }, proof)
      const response = await client.post('/auth/mfa/setup').headers(headers)
      assert.equal(response.status(), isRecent ? 200 : 403)
    })
})
