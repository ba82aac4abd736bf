import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import limits from '#config/limits'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { lockUser } from '#users/lock_user'
import { setPassword } from '#users/change_password'
import { recordsWhere } from '#tests/support/trail'
import { disableUser } from '#users/disable_user'
import { createUser, login, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { givePasskey, loginOptions, passkeyLogin } from '#tests/support/passkeys'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

const codeOf = (response: ApiResponse) => response.body().code ?? String(response.status())

async function sessionOf(client: ApiClient, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await client.get('/auth/sessions').headers(headers)
  return response.body().find(({ current }: { current: boolean }) => current)
}

async function lockByFailures(client: ApiClient, { email }: User) {
  for (let count = 0; count < 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

test.group('Passkeys | login', () => {
  test('a challenge tells nothing of any account', async ({ client, assert }) => {
    const response = await client.post('/auth/passkeys/login-options')
    const { challenge, ...others } = response.body()
    assert.equal(Buffer.from(challenge, 'base64url').length, 32)
    const fixed = { rpId: 'gatehouse.test', timeout: 300_000, userVerification: 'required' }
    assert.deepEqual(others, fixed)
  })

  test('a passkey logs its user in', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator, id } = await givePasskey(user)
    const response = await passkeyLogin(client, authenticator)
    response.assertStatus(200)
    const session = await sessionOf(client, response.body().accessToken)
    const passkey = await db.from('passkeys').where({ id }).first()
    assert.equal(response.body().user.id, user.id)
    assert.equal(Number(passkey.counter), 1)
    assert.closeTo(Number(passkey.last_used_at), Date.now(), 60_000)
    assert.deepEqual(session.method, 'passkey')
  })

  test('a {kind} passkey is recorded as {amr}')
    .with([
      { kind: 'bound', isSynced: false, amr: 'hwk user mfa' },
      { kind: 'synced', isSynced: true, amr: 'swk user mfa' },
    ])
    .run(async ({ client, assert }, { isSynced, amr }) => {
      const user = await createUser()
      const { authenticator } = await givePasskey(user, { isSynced })
      const response = await passkeyLogin(client, authenticator)
      const session = await sessionOf(client, response.body().accessToken)
      assert.equal(session.amr.join(' '), amr)
    })

  test('a synced passkey whose counter stays zero works again', async ({ client, assert }) => {
    const { authenticator } = await givePasskey(await createUser(), { isSynced: true })
    const responses = []
    for (let count = 0; count < 3; count++) {
      responses.push(await passkeyLogin(client, authenticator))
    }
    assert.deepEqual(responses.map(codeOf), ['200', '200', '200'])
  })

  test('a user with a second factor needs no code', async ({ client, assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const { authenticator } = await givePasskey(user)
    const response = await passkeyLogin(client, authenticator)
    assert.equal(codeOf(response), '200')
  })

  test('a passkey alone asks no code of a password', async ({ client, assert }) => {
    const user = await createUser()
    await givePasskey(user)
    assert.equal(codeOf(await login(client, { email: user.email })), '200')
  })

  test('twenty responses with one challenge start one session', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    const response = authenticator.get(await loginOptions(client))
    const attempts = Array.from({ length: 20 }, () =>
      client
        .post('/auth/passkeys/login')
        .header('x-forwarded-for', someAddress())
        .json({ response })
    )
    const responses = await Promise.all(attempts)
    const codes = responses.map(codeOf)
    assert.lengthOf(
      codes.filter((code) => code === '200'),
      1
    )
    assert.lengthOf(
      codes.filter((code) => code === 'E_PASSKEY_INVALID'),
      19
    )
  })

  test('a challenge of {age} is {outcome}')
    .with([
      { age: 'five minutes less a second', seconds: 299, outcome: '200' },
      { age: 'five minutes', seconds: 300, outcome: 'E_PASSKEY_INVALID' },
    ])
    .run(async ({ client, assert }, { seconds, outcome }) => {
      const { authenticator } = await givePasskey(await createUser())
      const response = authenticator.get(await loginOptions(client))
      timeTravel(seconds * 1_000)
      const request = client.post('/auth/passkeys/login')
      assert.equal(
        codeOf(await request.header('x-forwarded-for', someAddress()).json({ response })),
        outcome
      )
    })

  test('a counter that {what} is refused, recorded and mailed')
    .with([
      { what: 'stands still', counter: 7 },
      { what: 'goes back', counter: 6 },
      { what: 'goes back to zero', counter: 0 },
    ])
    .run(async ({ client, assert }, { counter }) => {
      const user = await createUser()
      const { authenticator, id } = await givePasskey(user)
      await passkeyLogin(client, authenticator, { forged: { counter: 7 } })
      for (let count = 0; count < 2; count++) {
        const copied = await passkeyLogin(client, authenticator, { forged: { counter } })
        assert.equal(codeOf(copied), 'E_PASSKEY_INVALID')
      }
      await deliverMails()
      const mails = await mailFilesOf(user.email)
      const events = db.from('audit_events').where({ action: 'passkey.counter_refused' })
      const passkey = await db.from('passkeys').where({ id }).first()
      assert.deepEqual(mails.filter(({ kind }) => kind === 'passkey_copied').length, 1)
      assert.lengthOf(await events.where('target_id', user.id), 1)
      assert.equal(Number(passkey.counter), 7)
    })

  test('two passkeys of a user log in', async ({ client, assert }) => {
    const user = await createUser()
    const passkeys = [await givePasskey(user), await givePasskey(user)]
    for (const { authenticator } of passkeys) {
      const response = await passkeyLogin(client, authenticator)
      assert.equal(response.body().user?.id, user.id)
    }
  })

  test('a passkey makes its device known', async ({ client, assert }) => {
    const { authenticator } = await givePasskey(await createUser())
    const response = await passkeyLogin(client, authenticator, { deviceId: 'laptop' })
    assert.isString(response.header('x-device-token'))
  })

  test('a login on a new device mails the owner', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await signedIn(client, user, { deviceId: 'laptop' })
    await passkeyLogin(client, authenticator, { deviceId: 'phone' })
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.include(
      mails.map(({ kind }) => kind),
      'new_device'
    )
  })

  test('the trail has the login and its method', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await passkeyLogin(client, authenticator)
    const event = await db
      .from('audit_events')
      .where({ action: 'login.succeeded', target_id: user.id })
      .first()
    assert.containSubset(JSON.parse(event.details), { method: 'passkey', mfa: true })
  })
})

test.group('Passkeys | locks', () => {
  test('a lock by failures ends with a passkey', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await lockByFailures(client, user)
    const locked = await login(client, { email: user.email })
    const response = await passkeyLogin(client, authenticator)
    const after = await login(client, { email: user.email })
    await user.refresh()
    assert.deepEqual([locked, response, after].map(codeOf), ['E_ACCOUNT_LOCKED', '200', '200'])
    assert.isNull(user.lockKind)
    const events = await recordsWhere({ target_id: user.id, action: 'account.unlocked' })
    assert.deepEqual(
      events.map(({ actorId, details }) => [actorId, details.method]),
      [[user.id, 'passkey']]
    )
  })

  test('a known device lifts the lock by a passkey, too', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    const first = await passkeyLogin(client, authenticator, { deviceId: 'laptop' })
    const device = { deviceId: 'laptop', deviceToken: first.header('x-device-token') }
    await lockByFailures(client, user)
    await passkeyLogin(client, authenticator, device)
    assert.equal(codeOf(await login(client, { email: user.email })), '200')
  })

  test('an administrator’s lock keeps a passkey out', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await lockUser(user.id, Date.now() + 3_600_000, SYSTEM)
    const response = await passkeyLogin(client, authenticator)
    await user.refresh()
    assert.equal(codeOf(response), 'E_ACCOUNT_LOCKED')
    assert.equal(user.currentLockKind, 'administrator')
  })

  test('a password to be changed stays so after a passkey', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await setPassword(user, PASSWORD, { actor: SYSTEM, mustChange: true })
    const demand = async () => codeOf(await login(client, { email: user.email }))
    const before = await demand()
    const response = await passkeyLogin(client, authenticator)
    response.assertStatus(200)
    const profile = await client.get('/auth/profile').bearerToken(response.body().accessToken)
    profile.assertStatus(200)
    assert.deepEqual(
      [before, await demand()],
      ['E_PASSWORD_CHANGE_REQUIRED', 'E_PASSWORD_CHANGE_REQUIRED']
    )
  })

  test('a suspended second factor works after a passkey', async ({ client, assert }) => {
    const user = await createUser()
    const code = await giveSecondFactor(user)
    const { authenticator } = await givePasskey(user)
    await user.merge({ mfaFailures: limits.wrongCodesInARow }).save()
    const body = { email: user.email, password: 'Correct-h0rse!', code }
    const attempt = () =>
      client.post('/auth/login').header('x-forwarded-for', someAddress()).json(body)
    const before = await attempt()
    await passkeyLogin(client, authenticator)
    assert.deepEqual([before, await attempt()].map(codeOf), ['E_MFA_SUSPENDED', '200'])
  })

  test('a disabled or removed user cannot log in', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await disableUser(user.id, {}, SYSTEM)
    const disabled = await passkeyLogin(client, authenticator)
    await User.query().where('id', user.id).delete()
    const deleted = await passkeyLogin(client, authenticator)
    assert.deepEqual([disabled, deleted].map(codeOf), ['E_ACCOUNT_DISABLED', 'E_PASSKEY_INVALID'])
  })
})
