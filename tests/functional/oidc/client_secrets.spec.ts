import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import settings from '#config/oidc'
import { endWindows } from '#audit/trail/end_coalescing'
import { hashSecret } from '#oidc/clients/secrets'
import { someAddress } from '#tests/support/fixtures'
import { application, throughProxy, type Application } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import type { Group } from '@japa/runner/core'

/* How many wrong secrets of a client are answered, and which requests are refused after them. */

const LATER = 601_000
const ENDPOINTS = ['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect']

interface Guess {
  path?: string
  address?: string
  secret?: string | null
}

function guess(
  { client: { clientId } }: Pick<Application, 'client'>,
  { path = '/oauth/introspect', address = someAddress(), secret = 'wrong' }: Guess = {}
) {
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64')
  const headers = { 'authorization': `Basic ${credentials}`, 'x-forwarded-for': address }
  const body = new URLSearchParams({ token: 'x' })
  return throughProxy(`${settings.issuer}${path}`, { method: 'POST', headers, body })
}

async function statusOf(app: Application, given: Guess = {}) {
  const { status } = await guess(app, given)
  return status
}

/** Returns the statuses of wrong secrets that are sent one after another. */
async function statusesOf(app: Application, given: Guess & { times: number }) {
  const statuses = []
  for (let time = 0; time < given.times; time++) statuses.push(await statusOf(app, given))
  return statuses
}

function lower(group: Group, changes: Partial<Record<'clientSecret' | 'clientSecrets', number>>) {
  group.each.setup(() => {
    const { clientSecret, clientSecrets } = limits
    const before = { clientSecret: clientSecret.limit, clientSecrets: clientSecrets.limit }
    const set = (given: typeof changes) => {
      for (const [name, limit] of Object.entries(given)) {
        limits[name as 'clientSecret' | 'clientSecrets'].limit = limit
      }
    }
    set(changes)
    return () => set(before)
  })
}

test.group('Client secrets | of one address', () => {
  test('{path} answers 429 from the 21st wrong secret on')
    .with(ENDPOINTS.map((path) => ({ path })))
    .run(async ({ assert }, { path }) => {
      const [app, address] = [await application(), someAddress()]
      const statuses = await statusesOf(app, { path, address, times: 20 })
      assert.deepEqual(
        statuses,
        Array.from({ length: 20 }, () => 401)
      )
      const refused = await guess(app, { path, address })
      const { error } = (await refused.json()) as { error: string }
      assert.deepEqual([refused.status, error], [429, 'slow_down'])
      assert.isAbove(Number(refused.headers.get('retry-after')), 0)
    })

  test('the endpoints count together', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    for (const path of ENDPOINTS) await statusesOf(app, { path, address, times: 5 })
    assert.equal(await statusOf(app, { address }), 429)
  })

  test('after {wrong} wrong secrets a right one is answered {status}')
    .with([
      { wrong: 19, status: 200 },
      { wrong: 20, status: 429 },
      { wrong: 21, status: 429 },
    ])
    .run(async ({ assert }, { wrong, status }) => {
      const [app, address] = [await application(), someAddress()]
      await statusesOf(app, { address, times: wrong })
      const { clientSecret: secret } = app
      for (const path of ['/oauth/revoke', '/oauth/introspect']) {
        assert.equal(await statusOf(app, { path, address, secret }), status)
      }
    })

  test('50 at once are evaluated 20 times', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    const guesses = Array.from({ length: 50 }, (_, number) =>
      statusOf(app, { address, path: ENDPOINTS[number % 4] })
    )
    const statuses = await Promise.all(guesses)
    assert.lengthOf(
      statuses.filter((status) => status === 401),
      20
    )
    assert.lengthOf(
      statuses.filter((status) => status === 429),
      30
    )
  })

  test('50 right secrets at once are answered, of a new address too', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    const { clientSecret: secret } = app
    const attempts = Array.from({ length: 50 }, (_, number) =>
      statusOf(app, { address, secret, path: ENDPOINTS[2 + (number % 2)] })
    )
    assert.deepEqual([...new Set(await Promise.all(attempts))], [200])
  })

  test('a right secret among 50 at once counts as no wrong one', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    const { clientSecret: secret } = app
    await statusOf(app, { address, secret })
    const wrong = Array.from({ length: 18 }, () => statusOf(app, { address }))
    const right = Array.from({ length: 18 }, () => statusOf(app, { address, secret }))
    const statuses = await Promise.all([...wrong, ...right])
    assert.lengthOf(
      statuses.filter((status) => status === 200),
      18
    )
    assert.deepEqual(
      [await statusOf(app, { address }), await statusOf(app, { address })],
      [401, 401]
    )
    assert.equal(await statusOf(app, { address, secret }), 429)
  })

  test('the client goes on at another address, and others at this one', async ({ assert }) => {
    const [app, other, address] = [await application(), await application(), someAddress()]
    await statusesOf(app, { address, times: 21 })
    const { clientSecret: secret } = app
    assert.equal(await statusOf(app, { secret }), 200)
    assert.equal(await statusOf(other, { address, secret: other.clientSecret }), 200)
  })

  test('ids that no client has count together', async ({ assert }) => {
    const address = someAddress()
    const paths = Array.from({ length: 21 }, (_, number) => ENDPOINTS[number % 4])
    const statuses = []
    for (const [number, path] of paths.entries()) {
      const unknown = { client: { clientId: `unknown-${number}` } } as Application
      statuses.push(await statusOf(unknown, { path, address }))
    }
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 401), 429])
  })
})

test.group('Client secrets | of all addresses', (group) => {
  lower(group, { clientSecrets: 3, clientSecret: 2 })

  test('after {wrong} wrong secrets a new address is answered {status}')
    .with([
      { wrong: 2, status: 200 },
      { wrong: 3, status: 429 },
      { wrong: 4, status: 429 },
    ])
    .run(async ({ assert }, { wrong, status }) => {
      const app = await application()
      for (let time = 0; time < wrong; time++) await statusOf(app)
      assert.equal(await statusOf(app, { secret: app.clientSecret }), status)
    })

  test('an address that succeeded before goes on, by right and wrong secrets', async ({
    assert,
  }) => {
    const [app, address] = [await application(), someAddress()]
    const { clientSecret: secret } = app
    await guess(app, { address, secret })
    for (let time = 0; time < 4; time++) await statusOf(app)
    assert.equal(await statusOf(app), 429)
    for (const path of ['/oauth/revoke', '/oauth/introspect']) {
      assert.equal(await statusOf(app, { path, address, secret }), 200)
    }
    assert.equal(await statusOf(app, { address }), 401)
  })

  test('one address alone refuses no other', async ({ assert }) => {
    const app = await application()
    await statusesOf(app, { address: someAddress(), times: 10 })
    assert.equal(await statusOf(app), 401)
    assert.equal(await statusOf(app), 429)
  })

  test('an address that succeeded before refuses no other', async ({ assert }) => {
    const [app, addresses] = [await application(), [someAddress(), someAddress()]]
    const { clientSecret: secret } = app
    for (const address of addresses) {
      await guess(app, { address, secret })
      await statusesOf(app, { address, times: 2 })
    }
    assert.equal(await statusOf(app), 401)
  })
})

test.group('Client secrets | addresses that are remembered', (group) => {
  lower(group, { clientSecrets: 1 })

  group.each.setup(() => {
    const { limit } = limits.clientAddresses
    limits.clientAddresses.limit = 2
    return () => void (limits.clientAddresses.limit = limit)
  })

  const rowsOf = ({ client: { clientId } }: Application) =>
    db.from('oauth_records').where({ kind: 'ClientAddress', client_id: clientId })

  /** Changes the records to what was written some days ago. */
  async function age(app: Application, days: number) {
    const before = Date.now() - days * 86_400_000
    const expires = before + limits.clientAddresses.lifetimeMs
    const payload = JSON.stringify({ at: before })
    await rowsOf(app).update({ payload, expires_at: expires })
  }

  test('of {count} addresses the first one goes on: {goesOn}')
    .with([
      { count: 1, goesOn: true },
      { count: 2, goesOn: true },
      { count: 3, goesOn: false },
    ])
    .run(async ({ assert }, { count, goesOn }) => {
      const [app, first] = [await application(), someAddress()]
      const { clientSecret: secret } = app
      await guess(app, { address: first, secret })
      await age(app, 2)
      for (let other = 1; other < count; other++) await guess(app, { secret })
      await statusOf(app)
      const status = goesOn ? 200 : 429
      assert.equal(await statusOf(app, { address: first, secret }), status)
      assert.lengthOf(await rowsOf(app), Math.min(2, count))
    })

  test('of too many the least recently used one goes', async ({ assert }) => {
    const [app, first, second] = [await application(), someAddress(), someAddress()]
    const { clientSecret: secret } = app
    for (const address of [first, second]) await guess(app, { address, secret })
    await age(app, 2)
    await guess(app, { address: first, secret })
    await guess(app, { secret })
    await statusOf(app)
    assert.equal(await statusOf(app, { address: first, secret }), 200)
    assert.equal(await statusOf(app, { address: second, secret }), 429)
  })

  test('one of {days} days ago goes on: {goesOn}')
    .with([
      { days: 29, goesOn: true },
      { days: 31, goesOn: false },
    ])
    .run(async ({ assert }, { days, goesOn }) => {
      const [app, address] = [await application(), someAddress()]
      const { clientSecret: secret } = app
      await guess(app, { address, secret })
      await age(app, days)
      await statusOf(app)
      assert.equal(await statusOf(app, { address, secret }), goesOn ? 200 : 429)
    })

  test('the address itself is not stored', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    await guess(app, { address, secret: app.clientSecret })
    const rows = await rowsOf(app)
    assert.lengthOf(rows, 1)
    assert.notInclude(JSON.stringify(rows), address)
  })
})

test.group('Client secrets | form of the header', () => {
  const SECRETS = ['a+b', '100%', 'a%20b', 'a:b/c']

  test('{secret} at {path} is compared {how}')
    .with(
      SECRETS.flatMap((secret) =>
        ['/oauth/revoke', '/oauth/introspect'].flatMap((path) =>
          ['as sent', 'decoded'].map((how) => ({ secret, path, how }))
        )
      )
    )
    .run(async ({ assert }, { secret, path, how }) => {
      const app = await application()
      const hashed = { secret_hash: hashSecret(secret) }
      await db.from('oauth_clients').where('id', app.client.id).update(hashed)
      const sent = how === 'as sent' ? secret : encodeURIComponent(secret)
      assert.equal(await statusOf(app, { path, secret: sent }), 200)
      assert.equal(await statusOf(app, { path, secret: `${sent}x` }), 401)
    })

  test('a wrong secret that reads in two ways counts once', async ({ assert }) => {
    const [app, address] = [await application(), someAddress()]
    await statusesOf(app, { address, secret: 'a%20b', times: 19 })
    const { clientSecret: secret } = app
    assert.equal(await statusOf(app, { address, secret }), 200)
  })
})

test.group('Client secrets | trail', () => {
  const eventsOf = async ({ client: { clientId } }: Application) => {
    const events = await recordsWhere({ action: 'client.secret_incorrect' })
    return events.filter(({ details }) => details.clientId === clientId)
  }

  test('wrong secrets of a client are one event, and one with their count', async ({ assert }) => {
    const app = await application()
    for (let time = 0; time < 4; time++) await statusOf(app, { path: ENDPOINTS[time] })
    const [first, ...others] = await eventsOf(app)
    assert.lengthOf(others, 0)
    assert.containsSubset(first, { actor: 'anonymous', outcome: 'failure' })
    await endWindows(Date.now() + LATER)
    const events = await eventsOf(app)
    assert.containsSubset(events.at(-1)!.details, { count: 3, firstEvent: first.id })
  })

  test('a right secret is no event', async ({ assert }) => {
    const app = await application()
    await guess(app, { secret: app.clientSecret })
    assert.lengthOf(await eventsOf(app), 0)
  })
})
