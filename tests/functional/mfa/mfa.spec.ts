import { execFileSync } from 'node:child_process'
import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { listSessions } from '#auth/sessions/sessions'
import { findOrInstall } from '#tests/support/debian'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someAddress,
} from '#tests/support/fixtures'
import { holdHash } from '#tests/support/held_hash'
import type { ApiClient } from '@japa/api-client'

/** Found before any test, because its installation may take longer than a test is allowed to. */
const oathtool = findOrInstall('oathtool', 'oathtool')

/** Returns the code of a step near the current one, made by an independent implementation. */
function codeOf(secret: string, { steps = 0 } = {}) {
  const at = new Date(Date.now() + steps * 30_000).toISOString().replace('T', ' ').slice(0, 19)
  const args = ['--totp', '--base32', `--now=${at} UTC`, secret]
  return execFileSync(oathtool, args, { encoding: 'utf8' }).trim()
}

/** Makes a user with a second factor. Stops the clock, so that no step of codes ends in a test. */
async function enrolled(client: ApiClient) {
  freezeTime()
  const user = await createUser()
  const session = await signedIn(client, user)
  const setup = await client
    .post('/auth/mfa/setup')
    .headers(session.headers)
    .json({ currentPassword: PASSWORD })
  setup.assertStatus(200)
  const { secret } = setup.body()
  const enable = await client
    .post('/auth/mfa/enable')
    .headers(session.headers)
    .json({ code: codeOf(secret, { steps: -2 }) })
  enable.assertStatus(200)
  const { backupCodes } = enable.body() as { backupCodes: string[] }
  return { user, session, secret, backupCodes }
}

async function challenged(client: ApiClient, user: User) {
  const response = await login(client, { email: user.email })
  response.assertStatus(401)
  return response.body().mfaToken as string
}

function verify(client: ApiClient, mfaToken: string, code: string) {
  return client
    .post('/auth/mfa/verify')
    .header('x-forwarded-for', someAddress())
    .json({ mfaToken, code })
}

test.group('MFA | enrolment', () => {
  test('setup shows a secret and changes nothing yet', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const response = await client
      .post('/auth/mfa/setup')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    response.assertStatus(200)
    assert.match(response.body().secret, /^[A-Z2-7]{32}$/)
    assert.include(response.body().otpauthUrl, `secret=${response.body().secret}`)
    assert.match(response.body().qrCode, /^data:image\/png;base64,/)
    const session = await login(client, { email: user.email })
    session.assertStatus(200)
  })

  test('setup needs the current password', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client
      .post('/auth/mfa/setup')
      .headers(headers)
      .json({ currentPassword: 'Wrong-h0rse!' })
    response.assertStatus(400)
  })

  test('a code of another form than six digits gets 400: {code}')
    .with([{ code: '12345' }, { code: '1234567' }, { code: 'abcdef' }, { code: '٠٠٠٠٠٠' }])
    .run(async ({ client, assert }, { code }) => {
      const { headers } = await signedIn(client, await createUser())
      const currentPassword = PASSWORD
      await client.post('/auth/mfa/setup').headers(headers).json({ currentPassword })
      const response = await client.post('/auth/mfa/enable').headers(headers).json({ code })
      response.assertStatus(400)
      assert.equal(response.body().code, 'E_INVALID_CODE')
    })

  test('a code confirms setup and returns ten backup codes', async ({ client, assert }) => {
    const { user, backupCodes, session } = await enrolled(client)
    assert.lengthOf(backupCodes, 10)
    assert.lengthOf(new Set(backupCodes), 10)
    for (const code of backupCodes) assert.match(code, /^[A-Z0-9]{10}$/)
    const profile = await client.get('/auth/profile').headers(session.headers)
    assert.isTrue(profile.body().mfaEnabled)
    const row = await db.from('users').where('id', user.id).first()
    const kept = JSON.stringify([row, await db.from('mfa_backup_codes').where('user_id', user.id)])
    for (const code of backupCodes) assert.notInclude(kept, code)
  })

  test('an enrolment refuses {name}')
    .with([
      { name: 'a wrong code', given: { code: '000000' } },
      { name: 'a secret that is not the pending one', given: { secret: 'JBSWY3DPEHPK3PXP' } },
    ])
    .run(async ({ client, assert }, { given }) => {
      const { headers } = await signedIn(client, await createUser())
      const setup = await client
        .post('/auth/mfa/setup')
        .headers(headers)
        .json({ currentPassword: PASSWORD })
      const { secret } = setup.body()
      const response = await client
        .post('/auth/mfa/enable')
        .headers(headers)
        .json({ code: codeOf(secret), ...given })
      response.assertStatus(400)
      assert.equal(response.body().message, 'Invalid verification code')
    })

  test('a pending enrolment expires after ten minutes', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const setup = await client
      .post('/auth/mfa/setup')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    await db.from('mfa_enrolments').where('user_id', user.id).update({ expires_at: Date.now() })
    const response = await client
      .post('/auth/mfa/enable')
      .headers(headers)
      .json({ code: codeOf(setup.body().secret) })
    response.assertStatus(400)
  })

  test('leaves no session of a login that was under way', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const setup = await client
      .post('/auth/mfa/setup')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    const hash = holdHash('verify', PASSWORD)
    const underWay = login(client, { email: user.email }).send()
    await hash.begun
    const enable = await client
      .post('/auth/mfa/enable')
      .headers(headers)
      .json({ code: codeOf(setup.body().secret) })
    enable.assertStatus(200)
    hash.release()
    const refused = await underWay
    refused.assertStatus(401)
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('enrolling ends the other sessions', async ({ client }) => {
    const user = await createUser()
    const other = await signedIn(client, user)
    const { headers } = await signedIn(client, user)
    const setup = await client
      .post('/auth/mfa/setup')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    await client
      .post('/auth/mfa/enable')
      .headers(headers)
      .json({ code: codeOf(setup.body().secret), secret: setup.body().secret })
    const kept = await client.get('/auth/profile').headers(headers)
    kept.assertStatus(200)
    const ended = await client.get('/auth/profile').headers(other.headers)
    ended.assertStatus(401)
  })
})

test.group('MFA | login', () => {
  test('the first step returns only a challenge', async ({ client, assert }) => {
    const { user } = await enrolled(client)
    const response = await login(client, { email: user.email })
    response.assertStatus(401)
    assert.equal(response.body().code, 'E_MFA_REQUIRED')
    assert.isString(response.body().mfaToken)
    assert.notProperty(response.body(), 'accessToken')
    assert.notProperty(response.body(), 'user')
  })

  test('a code {steps} steps away gets {status}')
    .with([
      { steps: -3, status: 401 },
      { steps: -1, status: 200 },
      { steps: 0, status: 200 },
      { steps: 2, status: 200 },
      { steps: 3, status: 401 },
    ])
    .run(async ({ client, assert }, { steps, status }) => {
      const { user, secret } = await enrolled(client)
      const mfaToken = await challenged(client, user)
      const response = await verify(client, mfaToken, codeOf(secret, { steps }))
      response.assertStatus(status)
      if (status === 200) assert.isString(response.body().refreshToken)
    })

  test('no code works twice or after a newer one', async ({ client }) => {
    const { user, secret } = await enrolled(client)
    const code = codeOf(secret)
    const first = await verify(client, await challenged(client, user), code)
    first.assertStatus(200)
    const again = await verify(client, await challenged(client, user), code)
    again.assertStatus(401)
    const older = await verify(
      client,
      await challenged(client, user),
      codeOf(secret, { steps: -1 })
    )
    older.assertStatus(401)
  })

  test('one of many logins with one code succeeds', async ({ client, assert }) => {
    const { user, secret } = await enrolled(client)
    const tokens = [await challenged(client, user), await challenged(client, user)]
    const code = codeOf(secret)
    const answers = await Promise.all(
      [...tokens, ...tokens].map((mfaToken) => verify(client, mfaToken, code))
    )
    assert.lengthOf(
      answers.filter((answer) => answer.status() === 200),
      1
    )
  })

  test('each backup code works once in any spelling', async ({ client, assert }) => {
    const { user, backupCodes } = await enrolled(client)
    const typed = backupCodes[0].toLowerCase().replace(/(.{5})/, '$1 ')
    const tokens = [await challenged(client, user), await challenged(client, user)]
    const answers = await Promise.all(tokens.map((token) => verify(client, token, typed)))
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [200, 401])
    const next = await verify(client, await challenged(client, user), backupCodes[1])
    next.assertStatus(200)
  })

  test('a login accepts the code in one request', async ({ client }) => {
    const { user, secret } = await enrolled(client)
    const response = await client
      .post('/auth/login')
      .header('x-forwarded-for', someAddress())
      .json({ email: user.email, password: PASSWORD, code: codeOf(secret).replace(/(...)/, '$1 ') })
    response.assertStatus(200)
  })

  test('five wrong codes lock the user', async ({ client, assert }) => {
    const { user, secret } = await enrolled(client)
    const mfaToken = await challenged(client, user)
    for (const remaining of [4, 3, 2, 1]) {
      const response = await verify(client, mfaToken, '000000')
      response.assertStatus(401)
      assert.equal(response.body().attemptsRemaining, remaining)
    }
    const fifth = await verify(client, mfaToken, '000000')
    fifth.assertStatus(403)
    assert.equal(fifth.body().message, 'Account locked due to multiple failed attempts')
    const right = await verify(client, mfaToken, codeOf(secret))
    right.assertStatus(401)
    const password = await login(client, { email: user.email })
    password.assertStatus(403)
  })

  test('wrong codes and passwords count apart', async ({ client, assert }) => {
    const { user } = await enrolled(client)
    for (let count = 0; count < 3; count++) {
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    }
    const wrong = await verify(client, await challenged(client, user), '000000')
    assert.equal(wrong.body().attemptsRemaining, 4)
    const password = await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    assert.equal(password.body().attemptsRemaining, 1)
  })

  test('a challenge expires after five minutes', async ({ client }) => {
    const { user, secret } = await enrolled(client)
    const mfaToken = await challenged(client, user)
    await db.from('mfa_challenges').where('user_id', user.id).update({ expires_at: Date.now() })
    const response = await verify(client, mfaToken, codeOf(secret))
    response.assertStatus(401)
  })

  test('a challenge of {name} is refused')
    .with([
      { name: 'a locked user', change: { locked_until: 4_102_444_800_000 } },
      { name: 'a disabled user', change: { disabled_at: 1 } },
    ])
    .run(async ({ client }, { change }) => {
      const { user, secret } = await enrolled(client)
      const mfaToken = await challenged(client, user)
      await db.from('users').where('id', user.id).update(change)
      const response = await verify(client, mfaToken, codeOf(secret))
      response.assertStatus(403)
    })

  test("a secret of another user's row does not decrypt", async ({ client }) => {
    const [one, other] = [await enrolled(client), await enrolled(client)]
    const { mfaSecret } = await User.findOrFail(other.user.id)
    await db.from('users').where('id', one.user.id).update({ mfa_secret: mfaSecret })
    const mfaToken = await challenged(client, one.user)
    const response = await verify(client, mfaToken, codeOf(other.secret))
    response.assertStatus(401)
  })
})

test.group('MFA | changes', () => {
  test('renewing replaces the backup codes', async ({ client, assert }) => {
    const { user, session, secret, backupCodes } = await enrolled(client)
    const response = await client
      .post('/auth/mfa/backup-codes')
      .headers(session.headers)
      .json({ currentPassword: PASSWORD, code: codeOf(secret) })
    response.assertStatus(200)
    assert.lengthOf(response.body().backupCodes, 10)
    const old = await verify(client, await challenged(client, user), backupCodes[0])
    old.assertStatus(401)
  })

  test('both factors turn multi-factor off', async ({ client }) => {
    const { user, session, secret } = await enrolled(client)
    const disable = (proof: object) =>
      client
        .post('/auth/mfa/disable')
        .headers(session.headers)
        .json({ currentPassword: PASSWORD, code: codeOf(secret), ...proof })
    const wrongCode = await disable({ code: '000000' })
    wrongCode.assertStatus(400)
    const wrongPassword = await disable({ currentPassword: 'Wrong-h0rse!' })
    wrongPassword.assertStatus(400)
    const right = await disable({})
    right.assertStatus(200)
    const password = await login(client, { email: user.email })
    password.assertStatus(200)
  })

  test('five wrong codes stop further changes', async ({ client }) => {
    const { session } = await enrolled(client)
    const disable = () =>
      client
        .post('/auth/mfa/disable')
        .headers(session.headers)
        .json({ currentPassword: PASSWORD, code: '000000' })
    for (let count = 1; count <= 5; count++) {
      const response = await disable()
      response.assertStatus(400)
    }
    const sixth = await disable()
    sixth.assertStatus(429)
  })

  test('an administrator resets the second factor', async ({ client, assert }) => {
    const { user, session } = await enrolled(client)
    const admin = await signedIn(client, await createAdmin())
    const response = await client.post(`/users/${user.id}/reset-mfa`).headers(admin.headers)
    assert.isFalse(response.body().mfaEnabled)
    const ended = await client.get('/auth/profile').headers(session.headers)
    ended.assertStatus(401)
    const password = await login(client, { email: user.email })
    password.assertStatus(200)
  })
})

test.group('One-time password of an administrator', () => {
  test('it must be changed before the first session', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    await db.from('users').where('id', user.id).update({ must_change_password: true })
    const refused = await login(client, { email: user.email })
    refused.assertStatus(403)
    assert.equal(refused.body().code, 'E_PASSWORD_CHANGE_REQUIRED')
    const reset = await client
      .post('/auth/reset-password')
      .header('x-forwarded-for', someAddress())
      .json({ token: refused.body().resetToken, newPassword: 'Another-h0rse!' })
    reset.assertStatus(200)
    const session = await login(client, { email: user.email, password: 'Another-h0rse!' })
    session.assertStatus(200)
    await user.refresh()
    assert.isFalse(user.isEmailVerified)
  })
})
