import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { addUser } from '#users/add_user'
import { setPassword } from '#users/change_password'
import { findPasswordToken } from '#users/password_recovery'
import { updateUser } from '#users/update_user'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { SYSTEM } from '#audit/actor'
import {
  createUser,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { holdHash } from '#tests/support/held_hash'
import { countsOf, deliverMails, mailedToken, mailsTo, mailFilesOf } from '#tests/support/mail'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import type User from '#models/user'

const NEW_PASSWORD = 'Another-h0rse!'
const OTHER_PASSWORD = 'Intruder-h0rse!'

function forgot(client: ApiClient, email: string, address = someAddress()) {
  const request = client.post('/auth/forgot-password').header('x-forwarded-for', address)
  return request.json({ email })
}

function reset(client: ApiClient, token: string, body: object = { newPassword: NEW_PASSWORD }) {
  const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
  return request.json({ token, ...body })
}

async function resetToken(client: ApiClient, email: string) {
  const response = await forgot(client, email)
  response.assertStatus(202)
  return mailedToken(email, 'password_reset')
}

/** Returns an answer without the parts that differ for each request. */
function shown(response: ApiResponse) {
  const { 'x-request-id': requestId, date, ...headers } = response.headers()
  return { status: response.status(), text: response.text(), headers }
}

function changePassword(client: ApiClient, headers: Record<string, string>) {
  return client
    .post('/auth/change-password')
    .headers(headers)
    .json({ currentPassword: PASSWORD, newPassword: OTHER_PASSWORD })
}

/** Asserts that the new password signs in, and that the old password and session do not. */
async function assertTakenBack(client: ApiClient, user: User, headers: Record<string, string>) {
  const session = await client.get('/auth/profile').headers(headers)
  session.assertStatus(401)
  const intruder = await login(client, { email: user.email, password: OTHER_PASSWORD })
  intruder.assertStatus(401)
  const owner = await login(client, { email: user.email, password: NEW_PASSWORD })
  owner.assertStatus(200)
}

/** Makes a user's links expire in `milliseconds` from now. */
function expireIn(user: User, milliseconds: number) {
  const expiry = { expires_at: Date.now() + milliseconds }
  return db.from('one_time_tokens').where('user_id', user.id).update(expiry)
}

test.group('Forgotten password | asking', () => {
  test('known, unknown and disabled users get one answer', async ({ client, assert }) => {
    const known = await createUser()
    const disabled = await createUser()
    await db.from('users').where('id', disabled.id).update({ disabled_at: Date.now() })
    const emails = [known.email, disabled.email, someEmail()]
    const answers = []
    for (const email of emails) answers.push(await forgot(client, email))
    assert.equal(answers[0].status(), 202)
    assert.deepEqual(shown(answers[1]), shown(answers[0]))
    assert.deepEqual(shown(answers[2]), shown(answers[0]))
    await deliverMails()
    assert.deepEqual(await countsOf(emails), [1, 0, 0])
  })

  test('known and unknown addresses cost the same work', async ({ client, assert }) => {
    const { email } = await createUser()
    assert.deepEqual(await workOf(client, email), await workOf(client, someEmail()))
  })

  test('the sixth mail of an hour is dropped silently', async ({ client, assert }) => {
    const user = await createUser()
    for (const email of [user.email, someEmail()]) {
      const answers = []
      for (let count = 1; count <= 6; count++) answers.push(await forgot(client, email))
      assert.deepEqual(shown(answers[5]), shown(answers[0]))
    }
    await deliverMails()
    assert.deepEqual(await countsOf([user.email]), [5])
  })

  test('strangers leave the mails of the owner', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    for (let count = 1; count <= 6; count++) await forgot(client, user.email)
    const own = await client.post('/auth/verify-email/resend').loginAs(user).json({})
    own.assertStatus(202)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.equal(mails.at(-1)!.kind, 'email_verification')
  })

  test('one client address asks twenty times an hour', async ({ client, assert }) => {
    const address = someAddress()
    const statuses = []
    for (let count = 1; count <= 21; count++) {
      const answer = await forgot(client, someEmail(), address)
      statuses.push(answer.status())
    }
    assert.deepEqual(statuses, [...Array(20).fill(202), 429])
  })

  test('the trail records where a request came from', async ({ client, assert }) => {
    const user = await createUser()
    const address = someAddress()
    await forgot(client, user.email, address)
    await deliverMails()
    const [event] = await recordsWhere({ target_id: user.id })
    assert.containSubset(event, { action: 'password.reset_requested', ip: address })
  })
})

/** Returns the rows that a request inserts, for any address. */
async function workOf(client: ApiClient, email: string) {
  await forgot(client, email, '203.0.113.50')
  const [{ id, kind, status, user_id: userId, payload }] = await mailsTo(email)
  const jobs = await db.from('queue_jobs').where('data', 'like', `%${id}%`)
  return { kind, status, userId, payload: payload.length, jobs: jobs.map((job) => job.status) }
}

test.group('Forgotten password | using the link', () => {
  test('a reset sets the password and ends sessions', async ({ client, assert }) => {
    const user = await createUser()
    const session = await signedIn(client, user)
    const response = await reset(client, await resetToken(client, user.email))
    response.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(session.headers)
    profile.assertStatus(401)
    const old = await login(client, { email: user.email, password: PASSWORD })
    old.assertStatus(401)
    const renewed = await login(client, { email: user.email, password: NEW_PASSWORD })
    renewed.assertStatus(200)
    assert.equal(renewed.body().user.id, user.id)
  })

  test('a reset mails the user about the change', async ({ client, assert }) => {
    const user = await createUser()
    await reset(client, await resetToken(client, user.email))
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    const kinds = mails.map((mail) => mail.kind)
    assert.deepEqual(kinds, ['password_reset', 'password_changed'])
  })

  test('a reset lifts a lock', async ({ client }) => {
    const user = await createUser()
    for (let count = 1; count <= 5; count++) {
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    }
    await reset(client, await resetToken(client, user.email))
    const response = await login(client, { email: user.email, password: NEW_PASSWORD })
    response.assertStatus(200)
  })

  test('a reset verifies the address of the mail', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    await reset(client, await resetToken(client, user.email))
    await user.refresh()
    assert.isTrue(user.isEmailVerified)
  })

  test('works for one of ten at once', async ({ client, assert }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(client, token)))
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.deepEqual(statuses, [200, ...Array(9).fill(400)])
  })

  test('answers {status} with {left} milliseconds left')
    .with([
      { left: 1, status: 200 },
      { left: 0, status: 400 },
      { left: -1, status: 400 },
    ])
    .run(async ({ client }, { left, status }) => {
      const user = await createUser()
      const token = await resetToken(client, user.email)
      freezeTime()
      await expireIn(user, left)
      const response = await reset(client, token)
      response.assertStatus(status)
    })

  test('a link is valid for thirty minutes', async ({ client, assert }) => {
    freezeTime()
    const user = await createUser()
    await resetToken(client, user.email)
    const row = await db.from('one_time_tokens').where('user_id', user.id).first()
    assert.equal(Number(row.expires_at) - Number(row.created_at), 1_800_000)
  })

  test('only the hash of a token is stored', async ({ client, assert }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    const tables = ['one_time_tokens', 'mails', 'queue_jobs', 'audit_events']
    const rows = await Promise.all(tables.map((table) => db.from(table)))
    assert.notInclude(JSON.stringify([...rows, await recordsWhere({})]), token)
  })

  test('a second request leaves the first link working', async ({ client }) => {
    const user = await createUser()
    const first = await resetToken(client, user.email)
    const second = await resetToken(client, user.email)
    const accepted = await reset(client, first)
    accepted.assertStatus(200)
    const refused = await reset(client, second)
    refused.assertStatus(400)
    refused.assertBodyContains({ code: 'E_INVALID_TOKEN', message: 'Invalid or expired token' })
  })

  test('only the twelve newest links work', async ({ assert }) => {
    const user = await createUser()
    const tokens: string[] = []
    for (let count = 1; count <= 13; count++) {
      const issue = { purpose: 'password_reset' } as const
      tokens.push(await db.transaction((trx) => issueOneTimeToken(user, issue, trx)))
    }
    const live = await Promise.all(tokens.map((token) => findPasswordToken(token)))
    assert.deepEqual(live.map(Boolean), [false, ...Array(12).fill(true)])
  })

  test('password is an alias of newPassword', async ({ client }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    const response = await reset(client, token, { password: NEW_PASSWORD })
    response.assertStatus(200)
  })

  test('a link still works after a weak password', async ({ client }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    for (const body of [{ newPassword: 'short' }, { password: 'short' }, {}]) {
      const refused = await reset(client, token, body)
      refused.assertStatus(400)
      refused.assertBodyContains({ code: 'E_VALIDATION_ERROR' })
    }
    const accepted = await reset(client, token)
    accepted.assertStatus(200)
  })

  test('a new address makes the link useless', async ({ client }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    await updateUser(user.id, { email: someEmail() }, SYSTEM)
    const response = await reset(client, token)
    response.assertStatus(400)
  })
})

test.group('Reset link | change of password', () => {
  test('stores its password while a change is under way', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const token = await resetToken(client, user.email)
    const hash = holdHash('make', OTHER_PASSWORD)
    const change = changePassword(client, headers).send()
    await hash.begun
    const done = await reset(client, token)
    done.assertStatus(200)
    hash.release()
    const refused = await change
    refused.assertStatus(401)
    assert.equal(refused.body().code, 'E_TOKEN_REVOKED')
    await assertTakenBack(client, user, headers)
  })

  test('stores its password after a change beside it', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const token = await resetToken(client, user.email)
    const hash = holdHash('make', NEW_PASSWORD)
    const resetting = reset(client, token).send()
    await hash.begun
    const changed = await changePassword(client, headers)
    changed.assertStatus(200)
    hash.release()
    const done = await resetting
    done.assertStatus(200)
    await assertTakenBack(client, user, headers)
  })

  test('works after a change that came before it', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const token = await resetToken(client, user.email)
    const changed = await changePassword(client, headers)
    changed.assertStatus(200)
    const done = await reset(client, token)
    done.assertStatus(200)
    await assertTakenBack(client, user, headers)
  })

  test('finds a token for {purpose} {outcome} after a change')
    .with([
      { purpose: 'password_reset', outcome: 'working', isLive: true },
      { purpose: 'invitation', outcome: 'working', isLive: true },
      { purpose: 'password_change', outcome: 'void', isLive: false },
    ] as const)
    .run(async ({ client, assert }, { purpose, isLive }) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      const token = await db.transaction((trx) => issueOneTimeToken(user, { purpose }, trx))
      const changed = await changePassword(client, headers)
      changed.assertStatus(200)
      const live = await findPasswordToken(token)
      assert.equal(live?.userId, isLive ? user.id : undefined)
    })

  test('dies when an administrator sets a password', async ({ client }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    await setPassword(user, OTHER_PASSWORD, { actor: SYSTEM })
    const response = await reset(client, token)
    response.assertStatus(400)
  })

  test('dies when another link sets a password', async ({ client }) => {
    const user = await createUser()
    const token = await resetToken(client, user.email)
    const other = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'invitation' }, trx)
    )
    await reset(client, other)
    const response = await reset(client, token)
    response.assertStatus(400)
  })
})

test.group('Invitation | mail', () => {
  test('an invitation sets the password and verifies address', async ({ client, assert }) => {
    const invited = { email: someEmail(), username: 'Grace' }
    const user = await addUser(invited, SYSTEM)
    const token = await mailedToken(invited.email, 'invitation')
    const response = await reset(client, token)
    response.assertStatus(200)
    await user.refresh()
    assert.isTrue(user.isEmailVerified)
    const session = await login(client, { email: invited.email, password: NEW_PASSWORD })
    session.assertStatus(200)
  })
})
