import { freezeTime, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { reportSignIn } from '#users/report_sign_in'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import { queuePasswordResetMail } from '#mails/queue/queue_link_mails'
import { lockUser } from '#users/lock_user'
import { resetPassword } from '#users/password_recovery'
import { createUser, login, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

const RENEWED = 'Another-h0rse!'

/** A user with a session of their own and one of a stranger, and the link about the latter. */
async function reported(client: ApiClient) {
  const user = await createUser({ isVerified: true })
  const own = await signedIn(client, user, { userAgent: CHROME })
  const address = someAddress()
  const strange = await signedIn(client, user, { userAgent: FIREFOX, address })
  return {
    user,
    own,
    strange: { ...strange, address },
    token: await mailedToken(user.email, 'new_device'),
  }
}

async function signInFrom(client: ApiClient, user: User, attempts: object[]) {
  for (const attempt of attempts) await signedIn(client, user, attempt)
  await deliverMails()
  return mailFilesOf(user.email)
}

test.group('New device | mail', () => {
  test('the first sign-in sends no mail', async ({ client, assert }) => {
    const mails = await signInFrom(client, await createUser(), [{ userAgent: CHROME }])
    assert.lengthOf(mails, 0)
  })

  test('the mail names device, address and time', async ({ client, assert }) => {
    const user = await createUser()
    const address = '203.0.113.7'
    const mails = await signInFrom(client, user, [
      { userAgent: CHROME, address },
      { userAgent: FIREFOX, address },
    ])
    assert.lengthOf(mails, 1)
    assert.include(mails[0].text, 'Firefox on Linux')
    assert.include(mails[0].text, address)
    assert.match(mails[0].text, /\d\d:\d\d UTC/)
    assert.include(mails[0].text, 'http://gatehouse.test/not-me?token=')
  })

  test('a known browser and network send no mail', async ({ client, assert }) => {
    const mails = await signInFrom(client, await createUser(), [
      { userAgent: CHROME, address: '203.0.113.7' },
      { userAgent: CHROME.replace('130', '131'), address: '203.0.113.250' },
    ])
    assert.lengthOf(mails, 0)
  })

  test('a device id is known in every network', async ({ client, assert }) => {
    const mails = await signInFrom(client, await createUser(), [
      { deviceId: 'laptop', address: '203.0.113.7' },
      { deviceId: 'laptop', address: '198.51.100.7' },
      { deviceId: 'phone', address: '203.0.113.7' },
    ])
    assert.lengthOf(mails, 1)
  })

  test('several sign-ins at once send one mail', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { userAgent: CHROME })
    const attempt = { email: user.email, userAgent: FIREFOX, address: '203.0.113.7' }
    await Promise.all([1, 2, 3].map(() => login(client, attempt)))
    await deliverMails()
    assert.lengthOf(await mailFilesOf(user.email), 1)
  })
})

test.group('New device | “it was not me”', () => {
  const from = { ip: '203.0.113.9', userAgent: null }

  test('the link ends every session and mails a reset', async ({ client, assert }) => {
    const { user, own, strange, token } = await reported(client)
    assert.include(await reportSignIn(token, from), { isMailed: true })
    for (const { headers } of [own, strange]) {
      const ended = await client.get('/auth/profile').headers(headers)
      ended.assertStatus(401)
    }
    const response = await client
      .post('/auth/reset-password')
      .json({ token: await mailedToken(user.email, 'password_reset'), newPassword: RENEWED })
    response.assertStatus(200)
    const [event] = await recordsWhere({ target_id: user.id, action: 'session.denied' })
    const details = { sessionId: strange.sessionId, endedSessions: 2 }
    assert.containSubset(event.details, details)
  })

  test('the page hands out no token', async ({ client, assert }) => {
    const { token } = await reported(client)
    const page = await client.post('/not-me').form({ token })
    page.assertStatus(200)
    assert.include(page.text(), 'sending a link')
    assert.notInclude(page.text(), 'name="token"')
  })

  test('the link is good for a day', async ({ client, assert }) => {
    freezeTime()
    const { user } = await reported(client)
    const row = await db.from('one_time_tokens').where('user_id', user.id).first()
    assert.equal(Number(row.expires_at) - Number(row.created_at), 24 * 3_600_000)
  })

  test('a second sign-in of the device keeps the link', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    await signedIn(client, user, { deviceId: 'laptop' })
    const first = await signedIn(client, user, { deviceId: 'phone' })
    const token = await mailedToken(user.email, 'new_device')
    const second = await signedIn(client, user, { deviceId: 'phone' })
    const replaced = await client.get('/auth/profile').headers(first.headers)
    replaced.assertStatus(401)
    const page = await client.get('/not-me').qs({ token })
    page.assertStatus(200)
    await reportSignIn(token, from)
    const ended = await client.get('/auth/profile').headers(second.headers)
    ended.assertStatus(401)
    const [event] = await recordsWhere({ target_id: user.id, action: 'session.denied' })
    assert.containSubset(event.details, { sessionId: second.sessionId, endedSessions: 2 })
  })

  test('a device that ends its first session keeps it', async ({ client, assert }) => {
    const { user, strange, token } = await reported(client)
    await signedIn(client, user, { userAgent: FIREFOX, address: strange.address })
    await client.delete(`/auth/sessions/${strange.sessionId}`).headers(strange.headers)
    assert.include(await reportSignIn(token, from), { isMailed: true })
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('the link reaches sessions that started after its own', async ({ client, assert }) => {
    const { user, strange, token } = await reported(client)
    const later = await signedIn(client, user, { deviceId: 'burner' })
    await client.delete(`/auth/sessions/${strange.sessionId}`).headers(strange.headers)
    const page = await client.get('/not-me').qs({ token })
    page.assertStatus(200)
    assert.include(await reportSignIn(token, from), { isMailed: true })
    const ended = await client.get('/auth/profile').headers(later.headers)
    ended.assertStatus(401)
  })

  test('the link is void once its session has ended', async ({ client, assert }) => {
    const { user, own, strange, token } = await reported(client)
    await client.delete(`/auth/sessions/${strange.sessionId}`).headers(own.headers)
    const page = await client.get('/not-me').qs({ token })
    page.assertStatus(404)
    await assert.rejects(() => reportSignIn(token, from))
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('the link is void after a reset by mail', async ({ client, assert }) => {
    const { user, token } = await reported(client)
    const asked = { from: null, budget: null }
    await db.transaction((trx) => queuePasswordResetMail(user.email, asked, trx))
    const resetToken = await mailedToken(user.email, 'password_reset')
    await resetPassword({ token: resetToken, password: RENEWED }, from)
    await login(client, { email: user.email, password: RENEWED })
    await assert.rejects(() => reportSignIn(token, from))
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('the link works for one of several requests', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { userAgent: CHROME })
    await signedIn(client, user, { userAgent: FIREFOX })
    const token = await mailedToken(user.email, 'new_device')
    const results = await Promise.allSettled([1, 2, 3].map(() => reportSignIn(token, from)))
    assert.lengthOf(
      results.filter(({ status }) => status === 'fulfilled'),
      1
    )
  })

  test('the reset goes to the address of today', async ({ client, assert }) => {
    const { user, token } = await reported(client)
    const email = someEmail()
    await db.from('users').where('id', user.id).update({ email })
    await reportSignIn(token, from)
    await deliverMails()
    const mails = await mailFilesOf(email)
    const kinds = mails.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['password_reset'])
  })

  test('a lock by an administrator outlives the link', async ({ client, assert }) => {
    const { user, token } = await reported(client)
    await lockUser(user.id, Date.now() + 365 * 24 * 3_600_000, SYSTEM)
    await reportSignIn(token, from)
    const resetToken = await mailedToken(user.email, 'password_reset')
    await resetPassword({ token: resetToken, password: RENEWED }, from)
    await user.refresh()
    assert.isTrue(user.isLocked())
  })
})
