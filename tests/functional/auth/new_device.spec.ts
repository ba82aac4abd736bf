import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { reportSignIn } from '#auth/sessions/report_sign_in'
import { createUser, login, signedIn, someEmail } from '#tests/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/mail'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

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

  test('the link ends that session and no other', async ({ client, assert }) => {
    const user = await createUser()
    const own = await signedIn(client, user, { userAgent: CHROME })
    const strange = await signedIn(client, user, { userAgent: FIREFOX })
    const token = await mailedToken(user.email, 'new_device')
    const { resetToken } = await reportSignIn(token, from)
    const [kept, ended] = await Promise.all(
      [own, strange].map(({ headers }) => client.get('/auth/profile').headers(headers))
    )
    kept.assertStatus(200)
    ended.assertStatus(401)
    const response = await client
      .post('/auth/reset-password')
      .json({ token: resetToken, newPassword: 'Another-h0rse!' })
    response.assertStatus(200)
    const event = await db
      .from('audit_events')
      .where({ target_id: user.id, action: 'session.denied' })
      .first()
    assert.equal(JSON.parse(event.details).sessionId, strange.sessionId)
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

  test('the link at a former address resets nothing', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { userAgent: CHROME })
    await signedIn(client, user, { userAgent: FIREFOX })
    await db.from('users').where('id', user.id).update({ email: someEmail() })
    const token = await mailedToken(user.email, 'new_device')
    const { resetToken } = await reportSignIn(token, from)
    assert.isNull(resetToken)
  })
})
