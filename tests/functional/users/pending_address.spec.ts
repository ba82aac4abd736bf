import { freezeTime, getActiveTestOrFail, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { disableUser, enableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { createAdmin, createUser, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import {
  actionsOn,
  ask,
  confirm,
  kindsTo,
  moved,
  owner,
  undo,
  type Headers,
} from './change_address.ts'
import type { ApiClient } from '@japa/api-client'

const HOUR = '1 hour'

function resend(client: ApiClient, headers: Headers) {
  const request = client.post('/auth/verify-email/resend').headers(headers)
  return request.header('x-forwarded-for', someAddress()).json({})
}

/** Redis counts the budget of new addresses by its own clock, which no test moves. */
function allowSenders(limit: number) {
  const { mailSender } = limits
  limits.mailSender = { ...mailSender, limit }
  getActiveTestOrFail().cleanup(() => {
    limits.mailSender = mailSender
  })
}

function travelHours(hours: number) {
  for (let hour = 0; hour < hours; hour++) timeTravel(HOUR)
}

async function renewed(client: ApiClient, refreshToken: string) {
  const response = await client.post('/auth/refresh').json({ refreshToken })
  return { authorization: `Bearer ${response.body().accessToken}` }
}

test.group('Pending address | lapses', () => {
  test('a link mailed again works after {hours} hours: {status}')
    .with([
      { hours: 23, status: 200 },
      { hours: 24, status: 400 },
    ])
    .run(async ({ client, assert }, { hours, status }) => {
      freezeTime()
      const { user, headers, refreshToken } = await owner(client)
      const email = someEmail()
      await ask(client, headers, email)
      // Two mails at the same time have no fixed order, and only the later link works.
      await deliverMails()
      travelHours(22)
      await resend(client, await renewed(client, refreshToken))
      const token = await mailedToken(email, 'email_change')
      const mails = await mailFilesOf(email)
      assert.include(mails.at(-1)!.text, '2 hours')
      travelHours(hours - 22)
      const response = await confirm(client, token)
      response.assertStatus(status)
      await user.refresh()
      assert.equal(user.email === email, status === 200)
    })

  test('a lapsed address gets no fresh link', async ({ client, assert }) => {
    freezeTime()
    const { headers, refreshToken } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    await deliverMails()
    travelHours(73)
    const later = await renewed(client, refreshToken)
    const resent = await resend(client, later)
    resent.assertStatus(202)
    assert.deepEqual(await kindsTo(email), ['email_change'])
    const profile = await client.get('/auth/profile').headers(later)
    assert.isNull(profile.body().pendingEmail)
  })

  test('the page of a lapsed address says so', async ({ client }) => {
    freezeTime()
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    const expires = { expires_at: Date.now() + 99 * 3_600_000 }
    await db.from('one_time_tokens').where('user_id', user.id).update(expires)
    travelHours(24)
    for (const page of [
      await client.get('/verify-email').qs({ token }),
      await client.post('/verify-email').form({ token }),
    ])
      page.assertStatus(404)
  })

  test('asked for anew, the old address hears again', async ({ client, assert }) => {
    freezeTime()
    allowSenders(3)
    const { user, headers, refreshToken } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    await ask(client, headers, email)
    await deliverMails()
    travelHours(24)
    await ask(client, await renewed(client, refreshToken), email)
    const kinds = await kindsTo(user.email)
    const asked = kinds.filter((kind) => kind === 'email_change_requested')
    assert.lengthOf(asked, 2)
    const response = await confirm(client, await mailedToken(email, 'email_change'))
    response.assertStatus(200)
  })

  test('asked for again, it lapses no later', async ({ client, assert }) => {
    freezeTime()
    const { headers, refreshToken } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    travelHours(23)
    await ask(client, await renewed(client, refreshToken), email)
    const token = await mailedToken(email, 'email_change')
    timeTravel(HOUR)
    const response = await confirm(client, token)
    response.assertStatus(400)
    const profile = await client.get('/auth/profile').headers(await renewed(client, refreshToken))
    assert.isNull(profile.body().pendingEmail)
  })

  test('the old address hears of the confirmation', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = `win-now-${someEmail()}`
    await moved(client, headers, [user.email, email])
    await deliverMails()
    const told = await mailFilesOf(user.email)
    const confirmed = told.find(({ kind }) => kind === 'email_change_confirmed')!
    assert.include(confirmed.text, 'w•••@e•••')
    assert.include(confirmed.text, '3 days')
    assert.notInclude(confirmed.raw, 'win-now')
  })

  test('a confirmation is undone {hours} hours later: {status}')
    .with([
      { hours: 71, status: 200 },
      { hours: 72, status: 404 },
    ])
    .run(async ({ client, assert }, { hours, status }) => {
      freezeTime()
      const { user, headers } = await owner(client)
      const email = someEmail()
      await ask(client, headers, email)
      const token = await mailedToken(email, 'email_change')
      travelHours(23)
      await confirm(client, token)
      const link = await mailedToken(user.email, 'email_change_confirmed')
      travelHours(hours)
      const page = await undo(client, link)
      page.assertStatus(status)
      const { email: present } = await User.findOrFail(user.id)
      assert.equal(present === user.email, status === 200)
    })

  test('an address never proved hears of no confirmation', async ({ client, assert }) => {
    const { user, headers } = await owner(client, { isVerified: false })
    const email = someEmail()
    await ask(client, headers, email)
    await confirm(client, await mailedToken(email, 'email_change'))
    assert.deepEqual(await kindsTo(user.email), [])
  })
})

test.group('Pending address | of a disabled user', () => {
  test('is not undone until enabled again', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    const token = await moved(client, headers, [user.email, email])
    await disableUser(user.id, {}, SYSTEM)
    const shown = await client.get('/undo-email-change').qs({ token })
    shown.assertStatus(404)
    const refused = await undo(client, token)
    refused.assertStatus(404)
    const disabled = await User.findOrFail(user.id)
    assert.equal(disabled.email, email)
    await enableUser(user.id, SYSTEM)
    const page = await undo(client, token)
    page.assertStatus(200)
  })

  test('is not confirmed', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    await disableUser(user.id, {}, SYSTEM)
    const shown = await client.get('/verify-email').qs({ token })
    shown.assertStatus(404)
    const refused = await confirm(client, token)
    refused.assertStatus(400)
    await user.refresh()
    assert.notEqual(user.email, email)
  })

  test('keeps a stranger at the old address', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    await disableUser(user.id, {}, SYSTEM)
    const holder = await createUser({ email: user.email, isVerified: false })
    await undo(client, token)
    assert.isNotNull(await User.find(holder.id))
  })
})

test.group('Pending address | withdrawn by others', () => {
  test('its link works no more and the address stays', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    await updateUser(user.id, { pendingEmail: null }, SYSTEM)
    const refused = await confirm(client, token)
    refused.assertStatus(400)
    const profile = await client.get('/auth/profile').headers(headers)
    const { email: present, pendingEmail, emailVerified } = profile.body()
    assert.deepEqual([present, pendingEmail, emailVerified], [user.email, null, true])
    assert.include(await actionsOn(user), 'email.change_withdrawn')
  })

  test('without one nothing changes and nothing is recorded', async ({ assert }) => {
    const user = await createUser()
    await updateUser(user.id, { pendingEmail: null }, SYSTEM)
    assert.notInclude(await actionsOn(user), 'email.change_withdrawn')
  })

  test('a record with null sent back keeps it', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const admin = await signedIn(client, await createAdmin())
    const body = { username: 'Other', pendingEmail: null }
    const response = await client.put(`/users/${user.id}`).headers(admin.headers).json(body)
    assert.equal(response.body().pendingEmail, email)
  })
})

test.group('Pending address | and late mails', () => {
  test('an administrator deletes what was not sent', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    await ask(client, headers, someEmail())
    await updateUser(user.id, { email: someEmail() }, SYSTEM)
    assert.deepEqual(await kindsTo(user.email), ['email_changed'])
  })

  test('an administrator leaves nothing to retry', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    await ask(client, headers, someEmail())
    await db.from('mails').where('user_id', user.id).update({ status: 'failed' })
    await updateUser(user.id, { email: someEmail() }, SYSTEM)
    const failed = await db.from('mails').where({ user_id: user.id, status: 'failed' })
    assert.deepEqual(failed, [])
  })

  test('an administrator voids “it was not me”', async ({ client, assert }) => {
    const { user } = await owner(client)
    await signedIn(client, user, { deviceId: 'phone' })
    const { headers } = await signedIn(client, user, { deviceId: 'laptop' })
    const token = await mailedToken(user.email, 'new_device')
    assert.notEqual(token, '')
    await updateUser(user.id, { email: someEmail() }, SYSTEM)
    const page = await client.post('/not-me').form({ token })
    page.assertStatus(404)
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(200)
  })
})
