import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { endWindows } from '#audit/trail/end_coalescing'
import { createUser, login, someAddress, someEmail } from '#tests/support/fixtures'
import { mailsTo } from '#tests/support/mail'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const LATER = 601_000
const LIMIT = 3

async function fail(client: ApiClient, address: string, email = someEmail()) {
  const response = await login(client, { email, address, password: 'Wrong-h0rse!' })
  return response.status()
}

async function eventsFrom(address: string, action = 'login.failed') {
  const events = await recordsWhere({ action })
  return events.filter(({ ip }) => ip === address)
}

async function lockOut(client: ApiClient, address: string, email = someEmail()) {
  for (let time = 0; time < 5; time++) await fail(client, address, email)
  return email
}

async function reachLimit(client: ApiClient, address: string) {
  for (let time = 0; time < LIMIT; time++) await fail(client, address)
}

async function countMails() {
  const [{ count }] = await db.from('mails').count('* as count')
  return Number(count)
}

test.group('Failed sign-ins | of one address', (group) => {
  group.setup(() => {
    const { failureEvents, login: throttle } = limits
    limits.failureEvents = { ...failureEvents, limit: LIMIT }
    limits.login = { ...throttle, limit: 0 }
    return () => {
      Object.assign(limits, { failureEvents, login: throttle })
    }
  })

  test('{count} of them are {events} events')
    .with([
      { count: LIMIT - 1, events: LIMIT - 1 },
      { count: LIMIT, events: LIMIT },
      { count: LIMIT + 1, events: LIMIT + 1 },
      { count: LIMIT + 5, events: LIMIT + 1 },
    ])
    .run(async ({ client, assert }, { count, events }) => {
      const address = someAddress()
      for (let time = 0; time < count; time++) await fail(client, address)
      assert.lengthOf(await eventsFrom(address), events)
    })

  test('the last event counts all that followed', async ({ client, assert }) => {
    const address = someAddress()
    for (let time = 0; time < LIMIT + 5; time++) await fail(client, address)
    const events = await eventsFrom(address)
    const first = events.at(-1)!
    assert.deepEqual(first.details, { reason: 'password' })
    assert.isNull(first.targetId)
    await endWindows(Date.now() + LATER)
    const counted = await recordsWhere({ action: 'login.failed' })
    const last = counted.find(({ details }) => details.firstEvent === first.id)
    assert.deepEqual(last?.details, { reason: 'password', count: 4, firstEvent: first.id })
  })

  test('a lock among them is an event of its own', async ({ client, assert }) => {
    const [address, user] = [someAddress(), await createUser()]
    const statuses = []
    for (let time = 0; time < 5; time++) statuses.push(await fail(client, address, user.email))
    assert.deepEqual(statuses, [401, 401, 401, 401, 403])
    assert.lengthOf(await recordsWhere({ action: 'account.locked', target_id: user.id }), 1)
    const mails = await mailsTo(user.email)
    assert.lengthOf(
      mails.filter(({ kind }) => kind === 'account_locked'),
      1
    )
  })

  test('{before} failures before leave {locks} locks of an unknown e-mail')
    .with([
      { before: LIMIT - 1, locks: 1 },
      { before: LIMIT, locks: 0 },
      { before: LIMIT + 1, locks: 0 },
    ])
    .run(async ({ client, assert }, { before, locks }) => {
      const [address, email] = [someAddress(), someEmail()]
      const mails = await countMails()
      for (let time = 0; time < 4; time++) await fail(client, someAddress(), email)
      for (let time = 0; time < before; time++) await fail(client, address)
      assert.equal(await fail(client, address, email), 403)
      assert.lengthOf(await eventsFrom(address, 'account.locked'), locks)
      const mailsAfter = await countMails()
      assert.equal(mailsAfter - mails, locks)
    })

  test('made-up e-mails cause no locks and refusals without end', async ({ client, assert }) => {
    const address = someAddress()
    await reachLimit(client, address)
    for (let made = 0; made < 3; made++) {
      const email = await lockOut(client, address)
      assert.equal(await fail(client, address, email), 403)
    }
    assert.lengthOf(await eventsFrom(address), LIMIT + 1)
    assert.lengthOf(await eventsFrom(address, 'account.locked'), 0)
    const [refused, ...others] = await eventsFrom(address, 'login.refused')
    assert.deepEqual(refused.details, { method: 'password', reason: 'locked' })
    assert.lengthOf(others, 0)
  })

  test('guesses at a locked account are one event', async ({ client, assert }) => {
    const [address, user, other] = [someAddress(), await createUser(), await createUser()]
    for (let time = 0; time < 5; time++) await fail(client, someAddress(), user.email)
    for (let time = 0; time < LIMIT + 1; time++) await fail(client, address, user.email)
    await fail(client, address, other.email)
    assert.lengthOf(await recordsWhere({ action: 'login.refused', target_id: user.id }), 1)
    assert.lengthOf(await recordsWhere({ action: 'login.failed', target_id: other.id }), 1)
  })

  test('the last event counts the locks of users too', async ({ client, assert }) => {
    const [address, user] = [someAddress(), await createUser()]
    await reachLimit(client, address)
    await lockOut(client, address, user.email)
    const failures = await eventsFrom(address)
    const first = failures.at(-1)!
    await endWindows(Date.now() + LATER)
    const counted = await recordsWhere({ action: 'login.failed' })
    assert.equal(counted.find(({ details }) => details.firstEvent === first.id)?.details.count, 4)
  })

  test('the trail records failures from another address separately', async ({ client, assert }) => {
    const [address, user] = [someAddress(), await createUser()]
    for (let time = 0; time < LIMIT + 5; time++) await fail(client, address)
    await fail(client, someAddress(), user.email)
    assert.lengthOf(await recordsWhere({ action: 'login.failed', target_id: user.id }), 1)
  })
})
