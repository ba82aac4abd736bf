import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { encryptSecret } from '#auth/mfa/totp'
import { replaceBackupCodes } from '#auth/mfa/backup_codes'
import { resetMfa } from '#users/reset_mfa'
import { registerUser } from '#users/register'
import { unlockUser } from '#users/lock_user'
import store from '#auth/store/service'
import { startSession } from '#auth/sessions/sessions'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import {
  bearer,
  createUser,
  login,
  PASSWORD,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import { generate } from 'otplib'
import type { ApiClient } from '@japa/api-client'

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const WRONG = '000000'

/** Makes a user with a second factor and codes for it. Stops the clock. */
async function enrolled() {
  freezeTime()
  const user = await createUser({ isVerified: true })
  const secret = encryptSecret(user.id, SECRET)
  await db.from('users').where('id', user.id).update({ mfa_enabled: true, mfa_secret: secret })
  const backupCodes = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
  return { user, backupCodes, code: await generate({ secret: SECRET }) }
}

function signIn(client: ApiClient, user: User, code: string, password = PASSWORD) {
  return client
    .post('/auth/login')
    .header('x-forwarded-for', someAddress())
    .json({ email: user.email, password, code })
}

async function guess(client: ApiClient, user: User, count: number) {
  const statuses = []
  for (let guesses = 0; guesses < count; guesses++) {
    const response = await signIn(client, user, WRONG)
    statuses.push(response.status())
  }
  return statuses
}

/** Sends twenty wrong codes in a row. An administrator lifts each of the four locks. */
async function suspend(client: ApiClient, user: User) {
  for (let lock = 1; lock <= 4; lock++) {
    await guess(client, user, 5)
    await unlockUser(user.id, SYSTEM)
  }
}

/** Returns the headers of a session whose user was authenticated more than ten minutes ago. */
async function oldSession({ id, email, role }: User) {
  const device = { id: 'default', ip: someAddress(), userAgent: null }
  const { session } = await startSession(
    { id, email, role },
    { device, method: 'password', amr: ['pwd'] }
  )
  const at = session.authenticatedAt - 600_001
  await store.reauthenticateSession({ userId: id, sessionId: session.id }, { amr: ['pwd'], at })
  return { headers: bearer(await issueAccessToken({ id, email, role }, session.id)) }
}

async function resetPassword(client: ApiClient, user: User) {
  await client
    .post('/auth/forgot-password')
    .header('x-forwarded-for', someAddress())
    .json({ email: user.email })
  const token = await mailedToken(user.email, 'password_reset')
  const response = await client
    .post('/auth/reset-password')
    .header('x-forwarded-for', someAddress())
    .json({ token, newPassword: 'Another-h0rse!' })
  response.assertStatus(200)
}

test.group('Wrong codes | lock', () => {
  test('the fifth wrong code of a window locks', async ({ client, assert }) => {
    const { user } = await enrolled()
    assert.deepEqual(await guess(client, user, 6), [401, 401, 401, 401, 403, 403])
    await user.refresh()
    assert.equal(user.currentLockKind, 'failures')
  })

  test('a password reset leaves the count of codes', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    await guess(client, user, 5)
    await resetPassword(client, user)
    const password = await login(client, { email: user.email, password: 'Another-h0rse!' })
    assert.equal(password.body().code, 'E_MFA_REQUIRED')
    const refused = await signIn(client, user, code, 'Another-h0rse!')
    assert.equal(refused.body().code, 'E_ACCOUNT_LOCKED')
    await user.refresh()
    assert.equal(user.mfaFailures, 5)
  })

  test('a completed second step forgets wrong codes', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    await guess(client, user, 4)
    const session = await signIn(client, user, code)
    session.assertStatus(200)
    await user.refresh()
    assert.equal(user.mfaFailures, 0)
    const next = await signIn(client, user, WRONG)
    assert.equal(next.body().attemptsRemaining, 4)
  })

  test('one mail tells of all locks by codes', async ({ client, assert }) => {
    const { user } = await enrolled()
    await suspend(client, user)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    const locks = mails.filter(({ kind }) => kind === 'account_locked')
    assert.lengthOf(locks, 1)
    assert.include(locks[0].text, 'with your password')
  })

  test('five of thirty wrong codes at once are evaluated', async ({ client, assert }) => {
    const { user } = await enrolled()
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(client, user, WRONG)))
    assert.isAtMost(answers.filter((answer) => answer.status() === 401).length, 4)
    await user.refresh()
    assert.isAtMost(user.mfaFailures, 5)
  })
})

test.group('Wrong codes | suspension', () => {
  test('after {count} in a row a right code gets {status}')
    .with([
      { count: 19, status: 200 },
      { count: 20, status: 403 },
      { count: 21, status: 403 },
    ])
    .run(async ({ client }, { count, status }) => {
      const { user, code } = await enrolled()
      await db.from('users').where('id', user.id).update({ mfa_failures: count })
      const response = await signIn(client, user, code)
      response.assertStatus(status)
      if (status === 403) response.assertBodyContains({ code: 'E_MFA_SUSPENDED' })
    })

  test('a session without its password evaluates no code', async ({ client, assert }) => {
    const { user } = await enrolled()
    const { headers } = await oldSession(user)
    const response = await client
      .post('/auth/mfa/backup-codes')
      .headers(headers)
      .json({ code: WRONG })
    response.assertStatus(403)
    response.assertBodyContains({ code: 'E_RECENT_LOGIN_REQUIRED' })
    await user.refresh()
    assert.equal(user.mfaFailures, 0)
  })

  test('the twentieth wrong code within a session is told', async ({ client, assert }) => {
    const { user } = await enrolled()
    const { headers } = await oldSession(user)
    await db.from('users').where('id', user.id).update({ mfa_failures: 19 })
    const response = await client
      .post('/auth/mfa/backup-codes')
      .headers(headers)
      .json({ currentPassword: PASSWORD, code: WRONG })
    response.assertStatus(400)
    const events = await db.from('audit_events').where('target_id', user.id)
    assert.include(
      events.map(({ action }) => action),
      'mfa.suspended'
    )
    await deliverMails()
    const [mail, ...others] = await mailFilesOf(user.email)
    assert.equal(mail.kind, 'mfa_suspended')
    assert.include(mail.text.replaceAll(/\s+/g, ' '), '20 wrong codes')
    assert.lengthOf(others, 0)
  })

  test('the twentieth wrong code says that codes are suspended', async ({ client }) => {
    const { user } = await enrolled()
    for (let lock = 1; lock <= 3; lock++) {
      await guess(client, user, 5)
      await unlockUser(user.id, SYSTEM)
    }
    await guess(client, user, 4)
    const response = await signIn(client, user, WRONG)
    response.assertStatus(403)
    response.assertBodyContains({ code: 'E_MFA_SUSPENDED' })
  })

  test('twenty wrong codes over four locks suspend', async ({ client, assert }) => {
    const { user, code } = await enrolled()
    await suspend(client, user)
    const response = await signIn(client, user, code)
    response.assertBodyContains({ code: 'E_MFA_SUSPENDED' })
    const where = { target_id: user.id, action: 'mfa.suspended' }
    assert.lengthOf(await db.from('audit_events').where(where), 1)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.lengthOf(
      mails.filter(({ kind }) => kind === 'mfa_suspended'),
      1
    )
  })

  test('a backup code ends the suspension', async ({ client }) => {
    const { user, code, backupCodes } = await enrolled()
    await suspend(client, user)
    const backup = await signIn(client, user, backupCodes[0])
    backup.assertStatus(200)
    const right = await signIn(client, user, code)
    right.assertStatus(200)
  })

  test('an administrator ends it with an MFA reset', async ({ client, assert }) => {
    const { user } = await enrolled()
    await suspend(client, user)
    await resetMfa(user.id, SYSTEM)
    const session = await login(client, { email: user.email })
    session.assertStatus(200)
    await user.refresh()
    assert.equal(user.mfaFailures, 0)
  })
})

test.group('Right codes | at once', () => {
  test('one of twenty equal {kind} codes wins')
    .with([{ kind: 'one-time' }, { kind: 'backup' }])
    .run(async ({ client, assert }, { kind }) => {
      const { user, code, backupCodes } = await enrolled()
      const sent = kind === 'backup' ? backupCodes[0] : code
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signIn(client, user, sent))
      )
      assert.lengthOf(
        answers.filter((answer) => answer.status() === 200),
        1
      )
      await user.refresh()
      assert.isNull(user.lockedUntil)
      assert.equal(user.mfaFailures, 0)
    })
})

test.group('Registration | failures of strangers', () => {
  test('a new user is not locked by them', async ({ client }) => {
    const email = someEmail()
    for (let count = 1; count <= 5; count++)
      await login(client, { email, password: 'Wrong-h0rse!' })
    const from = { ip: '203.0.113.1', userAgent: null }
    await registerUser({ email, username: 'Ada', password: PASSWORD }, from)
    const session = await login(client, { email })
    session.assertStatus(200)
  })
})
