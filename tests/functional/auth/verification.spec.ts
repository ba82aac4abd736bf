import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { updateUser } from '#users/update_user'
import { createUser, PASSWORD, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { countsOf, deliverMails, mailedToken, mailsTo, mailFilesOf } from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'

function verify(client: ApiClient, token: string) {
  const request = client.post('/auth/verify-email').header('x-forwarded-for', someAddress())
  return request.json({ token })
}

function resend(client: ApiClient, body: object = {}) {
  const request = client.post('/auth/verify-email/resend')
  return request.header('x-forwarded-for', someAddress()).json(body)
}

async function register(client: ApiClient, email = someEmail()) {
  const response = await client
    .post('/auth/register')
    .header('x-forwarded-for', someAddress())
    .json({ email, username: 'Ada', password: PASSWORD })
  response.assertStatus(201)
  return response.body()
}

/** Returns the page of a mailed link that has been used or cannot be used. */
async function linkPage(client: ApiClient, token: string) {
  const response = await client.get(`/verify-email?token=${token}`)
  return { status: response.status(), text: response.text() }
}

test.group('Verification | link', () => {
  test('the pages of links of a confirmed address say so', async ({ client, assert }) => {
    const { email } = await register(client)
    const first = await mailedToken(email, 'email_verification')
    await resend(client, { email })
    const second = await mailedToken(email, 'email_verification')
    assert.notEqual(first, second)
    await verify(client, second)
    for (const token of [first, second]) {
      const { status, text } = await linkPage(client, token)
      assert.equal(status, 200)
      assert.include(text, 'Your address is already confirmed')
    }
  })

  test('the page of a link that never worked leads to the sign-in', async ({ client, assert }) => {
    const { status, text } = await linkPage(client, 'made-up')
    assert.equal(status, 404)
    assert.include(text, 'Send a new link')
    assert.include(text, 'href="/sign-in/verification"')
    assert.include(text, 'href="/sign-in"')
  })

  test('a link opens nothing once its address is confirmed', async ({ client, assert }) => {
    const { id, email } = await register(client)
    const token = await mailedToken(email, 'email_verification')
    await verify(client, token)
    const again = await verify(client, token)
    again.assertStatus(400)
    const kept = await db.from('one_time_tokens').where('user_id', id)
    assert.deepEqual(
      kept.map((row) => [row.purpose, row.email]),
      [['email_verified', null]]
    )
  })

  test('the link verifies the address of a registration', async ({ client, assert }) => {
    const { id, email, emailVerified } = await register(client)
    assert.isFalse(emailVerified)
    const response = await verify(client, await mailedToken(email, 'email_verification'))
    response.assertStatus(200)
    response.assertBodyContains({ emailVerified: true })
    const row = await db.from('users').where('id', id).first()
    assert.isNotNull(row.email_verified_at)
  })

  test('the link works for one of several requests', async ({ client, assert }) => {
    const { email } = await register(client)
    const token = await mailedToken(email, 'email_verification')
    const answers = await Promise.all([1, 2, 3].map(() => verify(client, token)))
    assert.sameMembers(
      answers.map((answer) => answer.status()),
      [200, 400, 400]
    )
  })

  test('the link does not verify a later address', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    await resend(client).loginAs(user)
    const token = await mailedToken(user.email, 'email_verification')
    await db.from('users').where('id', user.id).update({ email: someEmail() })
    const response = await verify(client, token)
    response.assertStatus(400)
    await user.refresh()
    assert.isFalse(user.isEmailVerified)
  })
})

test.group('Verification | “I did not create this account”', () => {
  async function linkOf(client: ApiClient, email: string) {
    await resend(client, { email })
    return mailedToken(email, 'email_verification')
  }

  function decline(client: ApiClient, token: string) {
    const request = client.post('/verify-email/decline')
    return request.header('x-forwarded-for', someAddress()).form({ token })
  }

  test('the page offers it and the button removes', async ({ client, assert }) => {
    const { id, email } = await register(client)
    const token = await mailedToken(email, 'email_verification')
    const page = await client.get('/verify-email').qs({ token })
    assert.include(page.text(), 'I did not create this account')
    assert.isNotNull(await User.find(id))
    const response = await decline(client, token)
    response.assertStatus(200)
    assert.isNull(await User.find(id))
    const events = await db.from('audit_events').where('target_id', id)
    assert.includeMembers(
      events.map(({ action }) => action),
      ['account.deleted']
    )
    const again = await decline(client, token)
    again.assertStatus(404)
  })

  test('{name} is not removed')
    .with([
      { name: 'a verified user', change: { email_verified_at: 1 } },
      { name: 'a user whose address was replaced', change: { email_changed_at: 1 } },
      { name: 'a user with another address', change: { email: 'other@example.org' } },
    ])
    .run(async ({ client, assert }, { change }) => {
      const user = await createUser({ isVerified: false })
      const token = await linkOf(client, user.email)
      await db.from('users').where('id', user.id).update(change)
      const response = await decline(client, token)
      response.assertStatus(404)
      assert.isNotNull(await User.find(user.id))
      await db.from('users').where('id', user.id).update({ email: user.email })
    })

  test('a change of a verified address offers no removal', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const email = someEmail()
    await updateUser(user.id, { email }, SYSTEM)
    const token = await linkOf(client, email)
    const page = await client.get('/verify-email').qs({ token })
    assert.notInclude(page.text(), 'I did not create this account')
    const response = await decline(client, token)
    response.assertStatus(404)
  })
})

test.group('Verification | another mail', () => {
  test('another mail goes to the caller', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    const response = await resend(client).loginAs(user)
    response.assertStatus(202)
    await deliverMails()
    assert.lengthOf(await mailFilesOf(user.email), 1)
  })

  test('another mail goes to the pending address', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const email = someEmail()
    await client.put('/auth/profile').headers(headers).json({ email, currentPassword: PASSWORD })
    await client
      .post('/auth/verify-email/resend')
      .headers({ ...headers, 'x-forwarded-for': someAddress() })
    const mails = await mailsTo(email)
    const kinds = mails.map((mail) => mail.kind)
    assert.deepEqual(kinds, ['email_change', 'email_change'])
  })

  test('every address gets the same answer', async ({ client, assert }) => {
    const [unverified, verified] = [await createUser({ isVerified: false }), await createUser()]
    const emails = [unverified.email, verified.email, someEmail()]
    const answers = []
    for (const email of emails) answers.push(await resend(client, { email }))
    const [first, ...others] = answers.map((answer) => [answer.status(), answer.text()])
    assert.equal(first[0], 202)
    for (const other of others) assert.deepEqual(other, first)
    await deliverMails()
    assert.deepEqual(await countsOf(emails), [1, 0, 0])
  })

  test('a request without token and address is refused', async ({ client }) => {
    const response = await resend(client)
    response.assertStatus(401)
  })

  test('an invalid token is refused', async ({ client }) => {
    const response = await resend(client, { email: someEmail() }).bearerToken('nonsense')
    response.assertStatus(401)
  })
})
