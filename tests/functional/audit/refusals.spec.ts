import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { coalesceEvent } from '#audit/trail/coalesced_events'
import { endWindows } from '#audit/trail/end_coalescing'
import { anonymousActor } from '#audit/actor'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { applicationOf, tokenOf } from '#tests/support/delegates'
import { recordsWhere } from '#tests/support/trail'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { TestBrowser } from '../external/browser.ts'
import type { ApiClient } from '@japa/api-client'

/** Returns the activity of the user of a session, the newest entry first. */
async function activity(client: ApiClient, headers: Record<string, string>) {
  const response = await client.get('/auth/activity').headers(headers)
  return response.body().data as { action: string; ip: string; details: Record<string, unknown> }[]
}

async function actions(client: ApiClient, headers: Record<string, string>) {
  const events = await activity(client, headers)
  return events.map(({ action }) => action)
}

const LATER = 3_600_000

async function lockOut(client: ApiClient, email: string) {
  for (let count = 1; count <= 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

test.group('Refusals | within a session', () => {
  test('a wrong current password is recorded', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const body = { currentPassword: 'Wrong-h0rse!', newPassword: 'Another-h0rse!' }
    const address = '198.51.100.77'
    const from = { ...headers, 'x-forwarded-for': address }
    await client.patch(`/users/${user.id}/password`).headers(from).json(body)
    const [event] = await activity(client, headers)
    assert.containsSubset(event, { action: 'password.incorrect', ip: address })
  })

  test('a wrong code is recorded', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await giveSecondFactor(user)
    const proof = { currentPassword: PASSWORD, code: '000000' }
    await client.post('/auth/mfa/disable').headers(headers).json(proof)
    const [action] = await actions(client, headers)
    assert.equal(action, 'mfa.incorrect_code')
  })

  test('a sign-in while codes are suspended is recorded', async ({ client, assert }) => {
    const user = await createUser()
    const code = await giveSecondFactor(user)
    await user.merge({ mfaFailures: limits.wrongCodesInARow }).save()
    const body = { email: user.email, password: PASSWORD, code }
    for (let count = 1; count <= 3; count++) {
      const response = await client
        .post('/auth/login')
        .header('x-forwarded-for', someAddress())
        .json(body)
      assert.equal(response.body().code, 'E_MFA_SUSPENDED')
    }
    const events = await recordsWhere({ target_id: user.id, action: 'login.refused' })
    assert.deepEqual(
      events.map(({ details }) => details.reason),
      ['suspended']
    )
  })

  test('a wrong password on a form is recorded', async ({ client, assert }) => {
    const admin = await createAdmin()
    const browser = new TestBrowser()
    await browser.submit('/sign-in', { email: admin.email, password: PASSWORD })
    const change = { currentPassword: 'Wrong-h0rse!', newPassword: 'Another-h0rse!' }
    const response = await browser.submit('/account/security', change, '/account/security/password')
    assert.include([400, 403, 422], response.status)
    const { headers } = await signedIn(client, admin)
    assert.include(await actions(client, headers), 'password.incorrect')
  })

  test("a refused administrator's route is recorded", async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const response = await client.get('/users').headers(headers)
    response.assertStatus(403)
    const [event] = await activity(client, headers)
    assert.equal(event.action, 'access.denied')
    assert.deepEqual(event.details, { route: 'GET /users' })
  })

  test('a refused look at another user is recorded', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const other = await createUser()
    await client.get(`/users/${other.id}`).headers(headers)
    const [event] = await activity(client, headers)
    assert.deepEqual(event.details, { route: 'GET /users/:id' })
    assert.isNull(await db.from('audit_events').where('target_id', other.id).first())
  })

  test('each user of an application has an event', async ({ client, assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    const first = await applicationOf(one)
    const second = await tokenOf(first.app, other)
    for (const { headers } of [first, second, second]) await client.get('/users').headers(headers)
    for (const { id } of [one, other])
      assert.lengthOf(await recordsWhere({ actor_id: id, action: 'access.denied' }), 1)
  })
})

test.group('Refusals | while locked', () => {
  async function recorded() {
    const events = await recordsWhere({ action: 'login.refused' })
    return events.at(-1)!
  }

  test('a refused sign-in is recorded with its user', async ({ client, assert }) => {
    const user = await createUser()
    await lockOut(client, user.email)
    await login(client, { email: user.email })
    const [event] = await recordsWhere({ target_id: user.id, action: 'login.refused' })
    assert.containsSubset(event.details, { reason: 'locked', method: 'password' })
  })

  test('an unknown address leaves the same event', async ({ client, assert }) => {
    const email = someEmail()
    await lockOut(client, email)
    await login(client, { email })
    const event = await recorded()
    assert.isNull(event.targetId)
    assert.containsSubset(event.details, { email, reason: 'locked' })
  })

  test('a lock of the codes is recorded', async ({ client, assert }) => {
    const user = await createUser()
    const right = await giveSecondFactor(user)
    const withCode = (code: string) =>
      client
        .post('/auth/login')
        .header('x-forwarded-for', someAddress())
        .json({ email: user.email, password: PASSWORD, code })
    for (let time = 1; time <= 5; time++) {
      await withCode('000000')
    }
    const response = await withCode(right)
    assert.equal(response.body().code, 'E_ACCOUNT_LOCKED')
    const where = { target_id: user.id, action: 'login.refused' }
    assert.lengthOf(await db.from('audit_events').where(where), 1)
  })
})

test.group('Refusals | floods', () => {
  const entry = (reason: string) => ({
    action: 'login.refused' as const,
    actor: anonymousActor({ ip: '198.51.100.3', userAgent: 'curl' }),
    targetId: null,
    outcome: 'failure' as const,
    details: { reason },
  })

  async function eventsOf(reason: string) {
    const events = await recordsWhere({ action: 'login.refused' })
    return events.filter((event) => event.details.reason === reason)
  }

  test('refusals at once are one event and a count', async ({ assert }) => {
    const reason = crypto.randomUUID()
    const floods = Array.from({ length: 40 }, () => coalesceEvent(entry(reason), [reason]))
    await Promise.all(floods)
    assert.lengthOf(await eventsOf(reason), 1)
    const flushes = Array.from({ length: 4 }, () => endWindows(Date.now() + LATER))
    await Promise.all(flushes)
    const [first, later] = await eventsOf(reason)
    assert.deepEqual(later.details, { reason, count: 39, firstEvent: first.id })
    assert.isNull(later.ip)
    assert.lengthOf(await eventsOf(reason), 2)
  })

  test('one refusal leaves no count', async ({ assert }) => {
    const reason = crypto.randomUUID()
    await coalesceEvent(entry(reason), [reason])
    await endWindows(Date.now() + LATER)
    assert.lengthOf(await eventsOf(reason), 1)
  })

  test('a refusal after the window begins another', async ({ assert }) => {
    const reason = crypto.randomUUID()
    freezeTime()
    for (let time = 0; time < 2; time++) await coalesceEvent(entry(reason), [reason])
    timeTravel('11 minutes')
    await coalesceEvent(entry(reason), [reason])
    const events = await eventsOf(reason)
    assert.deepEqual(
      events.map(({ details }) => details.count),
      [undefined, 1, undefined]
    )
  })

  test('a clock that goes back {time} leaves {count} events')
    .with([
      { time: '59 seconds', count: 1 },
      { time: '60 seconds', count: 1 },
      { time: '61 seconds', count: 2 },
      { time: '2 days', count: 2 },
    ])
    .run(async ({ assert }, { time, count }) => {
      const reason = crypto.randomUUID()
      freezeTime()
      timeTravel(time)
      await coalesceEvent(entry(reason), [reason])
      timeTravel(`-${time}`)
      await coalesceEvent(entry(reason), [reason])
      assert.lengthOf(await eventsOf(reason), count)
    })
})
