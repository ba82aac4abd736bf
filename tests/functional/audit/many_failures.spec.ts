import { test } from '@japa/runner'
import limits from '#config/limits'
import { endWindows } from '#audit/trail/end_coalescing'
import { createUser, login, someAddress, someEmail } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const LATER = 601_000
const LIMIT = 3

async function fail(client: ApiClient, address: string, email = someEmail()) {
  const response = await login(client, { email, address, password: 'Wrong-h0rse!' })
  return response.status()
}

async function eventsFrom(address: string) {
  const events = await recordsWhere({ action: 'login.failed' })
  return events.filter(({ ip }) => ip === address)
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
  })

  test('the trail records failures from another address separately', async ({ client, assert }) => {
    const [address, user] = [someAddress(), await createUser()]
    for (let time = 0; time < LIMIT + 5; time++) await fail(client, address)
    await fail(client, someAddress(), user.email)
    assert.lengthOf(await recordsWhere({ action: 'login.failed', target_id: user.id }), 1)
  })
})
