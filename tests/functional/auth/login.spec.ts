import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import {
  createUser,
  decodeClaims,
  decodeHeader,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'

test.group('Login | success', () => {
  test('a login answers with both tokens and user', async ({ client, assert }) => {
    const user = await createUser()
    const response = await login(client, { email: user.email })
    response.assertStatus(200)
    assert.containsSubset(response.body(), {
      expiresIn: 900,
      tokenType: 'Bearer',
      user: { id: user.id, email: user.email, username: 'Ada', role: 'User' },
    })
    assert.sameMembers(Object.keys(response.body()), [
      'accessToken',
      'refreshToken',
      'expiresIn',
      'tokenType',
      'user',
    ])
  })

  test('tokens have exactly the claims of the contract', async ({ client, assert }) => {
    const user = await createUser()
    const { accessToken, refreshToken } = await signedIn(client, user)
    const access = decodeClaims(accessToken)
    const refresh = decodeClaims(refreshToken)
    const standard = ['aud', 'exp', 'iat', 'iss', 'jti']
    assert.sameMembers(Object.keys(access), ['sub', 'email', 'role', ...standard])
    assert.sameMembers(Object.keys(refresh), ['sub', 'email', 'role', 'sessionId', ...standard])
    assert.equal(access.exp - access.iat, 900)
    assert.equal(refresh.exp - refresh.iat, 604_800)
    assert.equal(access.jti.split('.')[0], refresh.sessionId)
    assert.containsSubset(decodeHeader(accessToken), { alg: 'HS256', typ: 'at+jwt' })
    assert.containsSubset(decodeHeader(refreshToken), { alg: 'HS256', typ: 'rt+jwt' })
    assert.isString(decodeHeader(accessToken).kid)
  })

  test('a login accepts any spelling of an address', async ({ client }) => {
    const user = await createUser()
    const response = await login(client, { email: ` ${user.email.toUpperCase()} ` })
    response.assertStatus(200)
  })

  test('a login stores the time of the login', async ({ client, assert }) => {
    const user = await createUser()
    const before = Date.now()
    await login(client, { email: user.email })
    await user.refresh()
    assert.isAtLeast(user.lastLoginAt!.toMillis(), before)
    assert.isAtMost(user.lastLoginAt!.toMillis(), Date.now())
  })
})

test.group('Login | refusals', () => {
  test('credentials in the query are refused', async ({ client }) => {
    const user = await createUser()
    const response = await client
      .post('/auth/login')
      .qs({ email: user.email, password: PASSWORD })
      .json({})
    response.assertStatus(400)
  })

  test('a disabled user is refused after their password', async ({ client, assert }) => {
    const user = await createUser()
    await db.from('users').where('id', user.id).update({ disabled_at: Date.now() })
    const wrong = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    assert.equal(wrong.body().message, 'Invalid credentials. 4 attempts remaining')
    const right = await login(client, { email: user.email })
    right.assertStatus(403)
    assert.equal(right.body().code, 'E_ACCOUNT_DISABLED')
  })

  test('the trail records a right password stopped by {name}')
    .with([
      {
        name: 'disabling',
        change: { disabled_at: 1 },
        action: 'login.refused',
        reason: 'disabled',
      },
      { name: 'the second factor', change: { mfa_enabled: true }, action: 'login.challenged' },
    ])
    .run(async ({ client, assert }, { change, action, reason }) => {
      const user = await createUser()
      await db.from('users').where('id', user.id).update(change)
      await login(client, { email: user.email })
      const [event] = await db.from('audit_events').where('target_id', user.id)
      const details = JSON.parse(event.details)
      assert.equal(event.action, action)
      assert.deepEqual(details, { method: 'password', ...(reason && { reason }) })
    })

  test('each wrong password lowers the remaining attempts', async ({ client, assert }) => {
    const user = await createUser()
    for (const remaining of [4, 3, 2, 1]) {
      const response = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
      response.assertStatus(401)
      assert.containsSubset(response.body(), {
        message: `Invalid credentials. ${remaining} attempts remaining`,
        attemptsRemaining: remaining,
      })
    }
    freezeTime()
    const fifth = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    fifth.assertStatus(403)
    assert.equal(fifth.body().message, 'Account locked due to multiple failed attempts')
    assert.equal(fifth.header('retry-after'), '1800')
  })

  test('a right password clears earlier failures', async ({ client, assert }) => {
    const user = await createUser()
    for (let count = 0; count < 4; count++) {
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    }
    const right = await login(client, { email: user.email })
    right.assertStatus(200)
    const wrong = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    assert.equal(wrong.body().attemptsRemaining, 4)
  })
})

test.group('Login | throttle', (group) => {
  const { login: perAccount, loginAddress: perAddress } = limits
  const windows = [perAccount.windowMs, perAddress.windowMs]

  /** An hour: on a busy machine, the attempts of a test may take longer than a minute. */
  group.each.setup(() => {
    perAccount.windowMs = perAddress.windowMs = 3_600_000
    return () => {
      ;[perAccount.windowMs, perAddress.windowMs] = windows
    }
  })

  test('counts the attempts of a minute', ({ assert }) => {
    assert.deepEqual(windows, [60_000, 60_000])
  })

  test('refuses the sixth attempt of a window', async ({ client, assert }) => {
    const user = await createUser()
    const address = someAddress()
    for (let count = 1; count <= 5; count++) {
      const response = await login(client, { email: user.email, address })
      response.assertStatus(200)
    }
    const sixth = await login(client, { email: user.email, address })
    sixth.assertStatus(429)
    assert.equal(sixth.body().code, 'E_TOO_MANY_REQUESTS')
    assert.isAtMost(Number(sixth.header('retry-after')), 3_600)
  })

  test('an IPv6 network counts as one address', async ({ client }) => {
    const user = await createUser()
    for (let count = 1; count <= 5; count++) {
      await login(client, { email: user.email, address: `2001:db8:7:7::${count}` })
    }
    const sixth = await login(client, { email: user.email, address: '2001:db8:7:7::6' })
    sixth.assertStatus(429)
  })

  test('an address that tries many users is throttled', async ({ client }) => {
    const address = someAddress()
    // Ten at a time: a slow database refuses some of a hundred requests, and refusals do not count.
    for (let batch = 1; batch <= 10; batch++) {
      const attempts = Array.from({ length: 10 }, () =>
        login(client, { email: someEmail(), address, password: 'x' })
      )
      const answers = await Promise.all(attempts)
      for (const answer of answers) answer.assertStatus(401)
    }
    const next = await login(client, { email: someEmail(), address, password: 'x' })
    next.assertStatus(429)
  })
})
