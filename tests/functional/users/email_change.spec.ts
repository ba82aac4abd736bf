import { randomUUID } from 'node:crypto'
import { freezeTime, test, timeTravel } from '@japa/runner'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { listKeys } from '#auth/api_keys/list_keys'
import { storeSecondFactor } from '#auth/mfa/second_factor'
import { newSecret } from '#auth/mfa/totp'
import { SYSTEM } from '#audit/actor'
import { setPassword } from '#users/change_password'
import { listIdentities } from '#auth/external/list_identities'
import { updateUser } from '#users/update_user'
import {
  createAdmin,
  createUser,
  decodeClaims,
  keyOf,
  login,
  PASSWORD,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { recordsWhere } from '#tests/support/trail'
import { deliverMails, mailedToken, mailFilesOf, mailsTo } from '#tests/support/mail'
import { actionsOn, ask, confirm, kindsTo, moved, owner, undo } from './change_address.ts'

const NEW_PASSWORD = 'Another-h0rse!'
const HOUR = '1 hour'

test.group('Change of address | pending', () => {
  test('tokens, logins and lists keep the old address', async ({ client, assert }) => {
    const { user, headers, refreshToken } = await owner(client)
    const email = someEmail()
    const asked = await ask(client, headers, email)
    const pending = { email: user.email, emailVerified: true, pendingEmail: email }
    assert.containsSubset(asked.body(), pending)
    const refreshed = await client.post('/auth/refresh').json({ refreshToken })
    assert.equal(decodeClaims(refreshed.body().accessToken).email, user.email)
    const renewed = await login(client, { email: user.email })
    assert.equal(renewed.body().user.email, user.email)
    const early = await login(client, { email })
    early.assertStatus(401)
    assert.include(await actionsOn(user), 'email.change_requested')
  })

  test('the link mailed to the new address moves', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const response = await confirm(client, await mailedToken(email, 'email_change'))
    response.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(headers)
    assert.containsSubset(profile.body(), { email, emailVerified: true, pendingEmail: null })
    const old = await login(client, { email: user.email })
    old.assertStatus(401)
    const renewed = await login(client, { email })
    renewed.assertStatus(200)
    assert.include(await actionsOn(user), 'email.changed')
  })

  test('the link works for one of several requests', async ({ client, assert }) => {
    const { headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    const answers = await Promise.all([1, 2, 3].map(() => confirm(client, token)))
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.deepEqual(statuses, [200, 400, 400])
  })

  test('the page of the link asks before it moves', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    const page = await client.get('/verify-email').qs({ token })
    assert.include(page.text(), 'It was me, use this address')
    assert.notInclude(page.text(), 'I did not create this account')
    await user.refresh()
    assert.equal(user.pendingEmail, email)
    const response = await client.post('/verify-email').form({ token })
    response.assertStatus(200)
    await user.refresh()
    assert.equal(user.email, email)
  })

  test('the old address learns no word of the new', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = `win-now-${someEmail().replace('example.org', 'evil.example')}`
    await ask(client, headers, email)
    await deliverMails()
    const [told] = await mailFilesOf(user.email)
    assert.equal(told.kind, 'email_change_requested')
    assert.notMatch(told.raw, /win-now|evil/)
    assert.include(told.text, 'w•••@e•••')
  })

  test('an address that was never proved is told nothing', async ({ client, assert }) => {
    const { user, headers } = await owner(client, { isVerified: false })
    await ask(client, headers, someEmail())
    assert.lengthOf(await mailsTo(user.email), 0)
  })

  test('a taken address is refused at once', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const { email } = await createUser()
    const response = await ask(client, headers, email)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_EMAIL_TAKEN')
    await user.refresh()
    assert.isNull(user.pendingEmail)
  })

  test('a pending address reserves nothing', async ({ client, assert }) => {
    const [first, second] = [await owner(client), await owner(client)]
    const email = someEmail()
    for (const { headers } of [first, second]) {
      const asked = await ask(client, headers, email)
      asked.assertStatus(200)
    }
    const files = await kindsTo(email)
    assert.deepEqual(files, ['email_change', 'email_change'])
    const body = { email, username: 'Eve', password: PASSWORD }
    const register = client.post('/auth/register').header('x-forwarded-for', someAddress())
    const registered = await register.json(body)
    registered.assertStatus(201)
  })

  test('the link says that its address was taken', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    await createUser({ email })
    const response = await confirm(client, token)
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_EMAIL_TAKEN')
    const page = await client.post('/verify-email').form({ token })
    page.assertStatus(409)
    assert.include(page.text(), 'The address is taken')
    await user.refresh()
    assert.notEqual(user.email, email)
  })

  test('a second change voids the first link', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const [first, second] = [someEmail(), someEmail()]
    await ask(client, headers, first)
    const token = await mailedToken(first, 'email_change')
    await ask(client, headers, second)
    const refused = await confirm(client, token)
    refused.assertStatus(400)
    const accepted = await confirm(client, await mailedToken(second, 'email_change'))
    accepted.assertStatus(200)
    await user.refresh()
    assert.equal(user.email, second)
  })

  test('the present address drops the pending one', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const token = await mailedToken(email, 'email_change')
    const response = await ask(client, headers, user.email)
    assert.isNull(response.body().pendingEmail)
    const refused = await confirm(client, token)
    refused.assertStatus(400)
    assert.include(await actionsOn(user), 'email.change_withdrawn')
  })

  test('a record sent back keeps the pending one', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    const asked = await ask(client, headers, email)
    const record = asked.body()
    const paths = ['/auth/profile', `/users/${user.id}`]
    for (const path of paths) {
      const response = await client.put(path).headers(headers).json(record)
      response.assertStatus(200)
      assert.equal(response.body().pendingEmail, email)
    }
  })

  test('a pending address in a body sets nothing', async ({ client, assert }) => {
    const { headers, user } = await owner(client)
    const admin = await owner(client, { role: 'Admin' })
    for (const caller of [headers, admin.headers]) {
      const body = { pendingEmail: someEmail(), username: 'Ada' }
      const response = await client.put(`/users/${user.id}`).headers(caller).json(body)
      response.assertStatus(200)
      assert.isNull(response.body().pendingEmail)
    }
  })

  test('{what} drops the pending address')
    .with([
      { what: 'a new password', by: (user: User) => setPassword(user, NEW_PASSWORD, BY_SYSTEM) },
      {
        what: 'an address by an administrator',
        by: (user: User) => updateUser(user.id, { email: someEmail() }, SYSTEM),
      },
    ])
    .run(async ({ client, assert }, { by }) => {
      const { user, headers } = await owner(client)
      const email = someEmail()
      await ask(client, headers, email)
      const token = await mailedToken(email, 'email_change')
      await by(user)
      const refused = await confirm(client, token)
      refused.assertStatus(400)
      await user.refresh()
      assert.isNull(user.pendingEmail)
    })

  test('the export has the pending address', async ({ client, assert }) => {
    const { headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const response = await client.get('/auth/export').headers(headers)
    assert.equal(response.body().account.pendingEmail, email)
  })
})

const BY_SYSTEM = { actor: SYSTEM }

const HOUR_MS = 3_600_000

/** Adds an identity and an API key made at this time. Returns the key as its client holds it. */
async function addMethods({ id: userId }: User, at: number) {
  const subject = randomUUID()
  const createdAt = DateTime.fromMillis(at)
  await Identity.create({ userId, provider: 'acme', issuer: 'acme', subject, createdAt })
  const key = await keyOf({ id: userId })
  await db.from('api_keys').where('id', key.id).update({ created_at: at })
  return key
}

async function methods({ id }: User) {
  const [identities, keys] = [await listIdentities(id), await listKeys(id)]
  return [...identities.map(({ subject }) => subject), ...keys.map((key) => key.id)]
}

async function enrol({ id, email }: User, at: number) {
  const { secret } = newSecret(email)
  await db.transaction((trx) => storeSecondFactor(id, { secret, step: 0 }, trx))
  await db.from('users').where('id', id).update({ mfa_enabled_at: at })
}

test.group('Change of address | undone', () => {
  test('the old address drops a pending change', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    await ask(client, headers, email)
    const link = await mailedToken(email, 'email_change')
    const page = await undo(client, await mailedToken(user.email, 'email_change_requested'))
    page.assertStatus(200)
    const refused = await confirm(client, link)
    refused.assertStatus(400)
    const ended = await client.get('/auth/profile').headers(headers)
    ended.assertStatus(401)
    await user.refresh()
    assert.isNull(user.pendingEmail)
    assert.include(await kindsTo(user.email), 'password_reset')
    assert.include(await actionsOn(user), 'email.change_undone')
  })

  test('the old address comes back after the confirmation', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const email = someEmail()
    const token = await moved(client, headers, [user.email, email])
    const shown = await client.get('/undo-email-change').qs({ token })
    assert.include(shown.text(), 'It was not me, keep this address')
    const page = await undo(client, token)
    page.assertStatus(200)
    const ended = await client.get('/auth/profile').headers(headers)
    ended.assertStatus(401)
    const back = await User.findOrFail(user.id)
    assert.deepEqual([back.email, back.isEmailVerified], [user.email, true])
    assert.include(await kindsTo(user.email), 'password_reset')
    const again = await undo(client, token)
    again.assertStatus(404)
  })

  test('a link works after {hours} hours: {status}')
    .with([
      { hours: 71, status: 200 },
      { hours: 72, status: 404 },
    ])
    .run(async ({ client }, { hours, status }) => {
      freezeTime()
      const { user, headers } = await owner(client)
      await ask(client, headers, someEmail())
      const token = await mailedToken(user.email, 'email_change_requested')
      for (let hour = 0; hour < hours; hour++) timeTravel(HOUR)
      const page = await undo(client, token)
      page.assertStatus(status)
    })

  test('a thief cannot undo the undoing', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const { email } = user
    const [thief, other] = [someEmail(), someEmail()]
    const owners = await moved(client, headers, [email, thief])
    const thiefs = await moved(client, headers, [thief, other])
    const page = await undo(client, owners)
    page.assertStatus(200)
    const refused = await undo(client, thiefs)
    refused.assertStatus(404)
    await user.refresh()
    assert.equal(user.email, email)
  })

  test('a thief who undoes first keeps nothing', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const { email } = user
    const [thief, other] = [someEmail(), someEmail()]
    const owners = await moved(client, headers, [email, thief])
    const thiefs = await moved(client, headers, [thief, other])
    const first = await undo(client, thiefs)
    first.assertStatus(200)
    const page = await undo(client, owners)
    page.assertStatus(200)
    await user.refresh()
    assert.equal(user.email, email)
  })

  test('a mail of a later change is not sent', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const thief = someEmail()
    const owners = await moved(client, headers, [user.email, thief])
    await ask(client, headers, someEmail())
    await undo(client, owners)
    assert.notInclude(await kindsTo(thief), 'email_change_requested')
  })

  test('a stranger at the old address loses it', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const { email } = user
    const token = await moved(client, headers, [email, someEmail()])
    const squatter = await createUser({ email, isVerified: false })
    const page = await undo(client, token)
    page.assertStatus(200)
    assert.isNull(await User.find(squatter.id))
    await user.refresh()
    assert.equal(user.email, email)
  })

  test('a barred stranger at the old address stays: {bar}')
    .with([
      { bar: 'disabled', columns: () => ({ disabled_at: 5 }), status: 409 },
      {
        bar: 'locked by an administrator',
        columns: () => ({ locked_until: Date.now() + 60_000, lock_kind: 'administrator' }),
        status: 409,
      },
      {
        bar: 'locked by failures',
        columns: () => ({ locked_until: Date.now() + 60_000, lock_kind: 'failures' }),
        status: 200,
      },
    ])
    .run(async ({ client, assert }, { columns, status }) => {
      const { user, headers } = await owner(client)
      const token = await moved(client, headers, [user.email, someEmail()])
      const squatter = await createUser({ email: user.email, isVerified: false })
      await db.from('users').where('id', squatter.id).update(columns())
      const page = await undo(client, token)
      page.assertStatus(status)
      assert.equal((await User.find(squatter.id)) !== null, status === 409)
    })

  test('a link that ends meanwhile removes no user', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    const squatter = await createUser({ email: user.email, isVerified: false })
    const held = holdTransaction()
    const answer = Promise.resolve(undo(client, token))
    await held.begun
    await db.from('one_time_tokens').where('user_id', user.id).delete()
    held.release()
    const page = await answer
    page.assertStatus(404)
    assert.isNotNull(await User.find(squatter.id))
  })

  test('an old address that another has proved stays', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    const holder = await createUser({ email: user.email, isVerified: true })
    const page = await undo(client, token)
    page.assertStatus(409)
    assert.isNotNull(await User.find(holder.id))
  })

  test('what a thief has added goes with the change', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    await addMethods(user, Date.now() - HOUR_MS)
    const kept = await methods(user)
    const token = await moved(client, headers, [user.email, someEmail()])
    const thief = await addMethods(user, Date.now())
    const page = await undo(client, token)
    page.assertStatus(200)
    const refused = await client.get('/auth/profile').headers(thief.headers)
    refused.assertStatus(401)
    assert.deepEqual(await methods(user), kept)
    const [event] = await recordsWhere({ target_id: user.id, action: 'email.change_undone' })
    assert.containSubset(event.details, { unlinked: ['acme'], revokedKeys: 1 })
    assert.include(await kindsTo(user.email), 'identity_unlinked')
  })

  test('what was added before the confirmation goes too', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const kept = await methods(user)
    const email = someEmail()
    await ask(client, headers, email)
    await addMethods(user, Date.now())
    await confirm(client, await mailedToken(email, 'email_change'))
    const page = await undo(client, await mailedToken(user.email, 'email_change_confirmed'))
    page.assertStatus(200)
    assert.deepEqual(await methods(user), kept)
  })

  test('the second factor of a thief goes with it', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    await enrol(user, Date.now())
    const page = await undo(client, token)
    page.assertStatus(200)
    const reset = await client
      .post('/auth/reset-password')
      .json({ token: await mailedToken(user.email, 'password_reset'), newPassword: NEW_PASSWORD })
    reset.assertStatus(200)
    const response = await login(client, { email: user.email, password: NEW_PASSWORD })
    response.assertStatus(200)
    assert.property(response.body(), 'accessToken')
    assert.include(await kindsTo(user.email), 'mfa_disabled')
  })

  test('the undo keeps a second factor set up earlier', async ({ client, assert }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    await enrol(user, Date.now() - HOUR_MS)
    const page = await undo(client, token)
    page.assertStatus(200)
    await user.refresh()
    assert.isTrue(Boolean(user.mfaEnabled))
  })

  test('an administrator ends the time to undo', async ({ client }) => {
    const { user, headers } = await owner(client)
    const token = await moved(client, headers, [user.email, someEmail()])
    await updateUser(user.id, { email: someEmail() }, SYSTEM)
    const page = await undo(client, token)
    page.assertStatus(404)
  })
})

test.group('Change of address | by an administrator', () => {
  test('is there at once and unverified', async ({ client, assert }) => {
    const [{ user }, admin] = [await owner(client), await createAdmin()]
    const email = someEmail()
    const response = await client.put(`/users/${user.id}`).loginAs(admin).json({ email })
    assert.containsSubset(response.body(), { email, emailVerified: false, pendingEmail: null })
    assert.deepEqual(await kindsTo(user.email), ['email_changed'])
    assert.deepEqual(await kindsTo(email), ['email_verification'])
  })

  test('is verified if they say so', async ({ client, assert }) => {
    const [{ user }, admin] = [await owner(client), await createAdmin()]
    const email = someEmail()
    const body = { email, emailVerified: true }
    const response = await client.put(`/users/${user.id}`).loginAs(admin).json(body)
    assert.containsSubset(response.body(), body)
    assert.deepEqual(await kindsTo(email), [])
  })

  test('of their own address is pending', async ({ client, assert }) => {
    const { user, headers } = await owner(client, { role: 'Admin' })
    const body = { email: someEmail(), currentPassword: PASSWORD }
    const response = await client.put(`/users/${user.id}`).headers(headers).json(body)
    assert.containsSubset(response.body(), { email: user.email, pendingEmail: body.email })
  })
})
