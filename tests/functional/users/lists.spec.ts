import { randomUUID } from 'node:crypto'
import { test, timeTravel } from '@japa/runner'
import ace from '@adonisjs/core/services/ace'
import User from '#models/user'
import settings from '#config/web_session'
import { webCookie } from '#auth/sessions/web_session'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { countUsers } from '#users/list/count'
import { parseCursor } from '#users/list/cursor'
import { selectUsers, type UserFilter } from '#users/list/filter'
import { listUsersByCursor } from '#users/list/list_users'
import { API_ORDERS, CONSOLE_ORDERS, sortsOf, USER_ORDERS, type Sort } from '#users/list/order'
import { exportUsers } from '#users/transfer/export'
import { listUsersValidator } from '#validators/users'
import { createAdmin, createUser, signedIn, someAddress } from '#tests/support/fixtures'
import UserList from '#commands/user_list'
import type { ApiClient } from '@japa/api-client'
import { recordsWhere } from '#tests/support/trail'

const HOUR_MS = 3_600_000

/** One user for each combination of states, named after what makes it different. */
const STATES: Record<string, () => Record<string, unknown>> = {
  'imported': () => ({ invited_at: null }),
  'signed in': () => ({ last_login_at: Date.now() - 1_000, mfa_enabled: true }),
  'invitation accepted': () => ({ invited_at: 1, last_login_at: Date.now(), role: 'Admin' }),
  'lock expired': () => ({ locked_until: Date.now() - 1, provider: 'acme' }),
  'locked': () => ({ locked_until: Date.now() + HOUR_MS, mfa_enabled: true }),
  'locked and invited': () => ({ locked_until: Date.now() + HOUR_MS, invited_at: 1 }),
  'locked and disabled': () => ({ locked_until: Date.now() + HOUR_MS, disabled_at: 5 }),
  'disabled': () => ({ disabled_at: 5, provider: 'other' }),
  'disabled and invited': () => ({ disabled_at: 6, invited_at: 1 }),
  'invited': () => ({ invited_at: 1 }),
  'service account': () => ({ kind: 'service' }),
}

const ALL = Object.keys(STATES)

const BY_STATUS: Record<string, string[]> = {
  active: ['imported', 'signed in', 'invitation accepted', 'lock expired', 'service account'],
  locked: ['locked', 'locked and invited', 'locked and disabled'],
  disabled: ['locked and disabled', 'disabled', 'disabled and invited'],
  invited: ['locked and invited', 'disabled and invited', 'invited'],
}

/** Makes every state one time. Only the names of these users contain the tag. */
async function createStates() {
  const tag = randomUUID().slice(0, 8)
  for (const [state, columns] of Object.entries(STATES)) {
    const user = await createUser({ username: `${state} ${tag}`, password: null })
    await User.query().where('id', user.id).update(columns())
  }
  return tag
}

interface ListRequest {
  search: string
  kind?: string
  mfa?: string
  createdFrom?: string
  lastLoginFrom?: string
  status?: string
  sort?: string
}

/** Follows the cursors of version 2, with three users in a page. */
async function listByCursors(client: ApiClient, qs: ListRequest, headers: object) {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const request = client.get('/api/v2/users').qs({ ...qs, limit: 3, cursor })
    const response = await request.headers(headers as Record<string, string>)
    response.assertStatus(200)
    const { data, meta } = response.body()
    found.push(...data.map(({ username }: User) => username))
    cursor = meta.nextCursor ?? undefined
  } while (cursor)
  return found
}

/** Sends a request of an administrator who is signed in to the console. */
async function consoleOf(admin: User) {
  const device = { id: 'default', ip: someAddress(), userAgent: null, client: 'web' as const }
  const { session, refreshToken } = await startSession(admin, { device, ...BY_PASSWORD })
  const cookie = `${settings.cookieName}=${webCookie(session, refreshToken)}`
  return (client: ApiClient, path: string, qs: object) =>
    client.get(path).qs(qs).header('cookie', cookie)
}

async function namesOfPage(html: string) {
  const ids = [...html.matchAll(/name="ids\[\]" value="([^"]+)"/g)].map(([, id]) => id)
  const users = await User.query().whereIn('id', ids)
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return ids.map((id) => names.get(id)!)
}

/** Returns `created-from` for `createdFrom`. */
function flagOf(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Returns the usernames that `user:list` prints. */
async function listByCommand(request: ListRequest) {
  let printed: { username: string }[] = []
  class Listing extends UserList {
    printJson(value: unknown) {
      printed = value as typeof printed
    }
  }
  const command = await ace.create(Listing, [
    '--json',
    ...Object.entries(request).map(([name, value]) => `--${flagOf(name)}=${value}`),
  ])
  await command.exec()
  return printed.map(({ username }) => username)
}

/** Sends the same request by each way to list users. Exports have their own order. */
async function listEverywhere(client: ApiClient, request: ListRequest) {
  const admin = await createAdmin()
  const { headers } = await signedIn(client, admin)
  const visit = await consoleOf(admin)
  const first = await client
    .get('/users')
    .qs({ ...request, limit: 100 })
    .headers(headers)
  const names = Object.entries(CONSOLE_ORDERS).map(([name, order]) => [order, name])
  const sort = (request.sort ?? 'createdAt').replace(
    /\w+/,
    (order) => Object.fromEntries(names)[order]
  )
  const page = await visit(client, '/admin/users', { ...request, sort })
  page.assertStatus(200)
  return {
    first: first.body().data.map(({ username }: User) => username),
    total: first.body().meta.total as number,
    second: await listByCursors(client, request, headers),
    page: await namesOfPage(page.text()),
    command: await listByCommand(request),
  }
}

async function exportEverywhere(client: ApiClient, request: ListRequest) {
  const visit = await consoleOf(await createAdmin())
  const csv = await visit(client, '/admin/users.csv', request)
  csv.assertStatus(200)
  const exported = await Array.fromAsync(exportUsers(await listUsersValidator.validate(request)))
  const lines = csv.text().trim().split('\n').slice(1)
  return {
    csv: lines.map((line) => line.split(',')[3]),
    command: exported.map(({ username }) => username),
  }
}

test.group('User lists | an export', () => {
  test('leaves no searched address in the trail', async ({ client, assert }) => {
    const [admin, user] = [await createAdmin(), await createUser()]
    const visit = await consoleOf(admin)
    const csv = await visit(client, '/admin/users.csv', { search: user.email, role: 'User' })
    const [event] = await recordsWhere({ actor_id: admin.id, action: 'accounts.exported' })
    assert.include(csv.text(), user.email)
    assert.containSubset(event.details, { filter: { search: true, role: 'User' } })
  })
})

test.group('User lists | an export by a browser', () => {
  const FILTER = { role: 'Admin', search: randomUUID() }

  test('is not started by another site: {site}')
    .with([{ site: 'cross-site' }, { site: 'same-site' }])
    .run(async ({ client, assert }, { site }) => {
      const admin = await createAdmin()
      const visit = await consoleOf(admin)
      const request = visit(client, '/admin/users.csv', FILTER).redirects(0)
      const response = await request.header('sec-fetch-site', site)
      const events = await recordsWhere({ actor_id: admin.id, action: 'accounts.exported' })
      response.assertStatus(303)
      assert.equal(response.header('location'), `/admin/users?search=${FILTER.search}&role=Admin`)
      assert.lengthOf(events, 0)
    })

  test('is not started by a sign-in', async ({ client, assert }) => {
    const asked = await client.get('/admin/users.csv').qs(FILTER).redirects(0)
    const { pathname, search } = new URL(asked.header('location')!, 'http://gatehouse.test')
    const page = await client.get(pathname + search)
    assert.equal(pathname, '/sign-in')
    assert.match(page.text(), /name="next" value="\/admin\/users\?/)
    assert.notInclude(page.text(), 'users.csv')
  })

  test('is started by a page of this site and by an address: {site}')
    .with([{ site: 'same-origin' }, { site: 'none' }])
    .run(async ({ client }, { site }) => {
      const visit = await consoleOf(await createAdmin())
      const request = visit(client, '/admin/users.csv', FILTER)
      const response = await request.header('sec-fetch-site', site)
      response.assertStatus(200)
    })
})

test.group('User lists | status', () => {
  test('{name} is the same in every list')
    .with(
      [undefined, ...Object.keys(BY_STATUS)].map((status) => ({ name: status ?? 'any', status }))
    )
    .run(async ({ client, assert }, { status }) => {
      const tag = await createStates()
      const states = status ? BY_STATUS[status] : Object.keys(STATES)
      const expected = states.map((state) => `${state} ${tag}`)
      const request = { search: tag, ...(status && { status }) }
      const { total, ...lists } = await listEverywhere(client, request)
      const exports = await exportEverywhere(client, request)
      assert.equal(total, expected.length)
      for (const [name, list] of Object.entries({ ...lists, ...exports })) {
        assert.deepEqual(list, expected, name)
      }
    })

  test('{status} of the role {role} is counted as it is listed')
    .with(
      Object.keys(BY_STATUS).flatMap((status) => ['Admin', 'any'].map((role) => ({ status, role })))
    )
    .run(async ({ assert }, { status, role }) => {
      const filter = role === 'any' ? { status } : { status, role }
      await createStates()
      const selection = await selectUsers(filter as UserFilter)
      const users = await selection.query()
      assert.equal(await countUsers(selection), users.length)
      assert.equal(await countUsers(selection, 2), Math.min(users.length, 2))
    })
})

test.group('User lists | a lock that ends between a list and its count', () => {
  test('changes neither', async ({ assert }) => {
    const user = await createUser({ password: null })
    const until = Date.now() + HOUR_MS
    await User.query().where('id', user.id).update({ locked_until: until })
    const selection = await selectUsers({ status: 'active' }, until - 1)
    const users = await selection.query()
    timeTravel(2 * HOUR_MS)
    assert.equal(await countUsers(selection), users.length)
  })
})

const YEAR_AGO = new Date(Date.now() - 365 * 24 * HOUR_MS).toISOString()
const TOMORROW = new Date(Date.now() + 24 * HOUR_MS).toISOString()

test.group('User lists | filter', () => {
  test('{name} is the same in every list')
    .with([
      { name: 'of services', given: { kind: 'service' }, states: ['service account'] },
      { name: 'of people', given: { kind: 'person' }, states: ALL.slice(0, -1) },
      { name: 'with MFA', given: { mfa: 'yes' }, states: ['signed in', 'locked'] },
      {
        name: 'active since last year',
        given: { lastLoginFrom: YEAR_AGO },
        states: ['signed in', 'invitation accepted'],
      },
      { name: 'active from tomorrow', given: { lastLoginFrom: TOMORROW }, states: [] },
      { name: 'created since last year', given: { createdFrom: YEAR_AGO }, states: ALL },
      { name: 'created from tomorrow', given: { createdFrom: TOMORROW }, states: [] },
      {
        name: 'active without MFA',
        given: { mfa: 'no', lastLoginFrom: YEAR_AGO, createdFrom: YEAR_AGO },
        states: ['invitation accepted'],
      },
    ])
    .run(async ({ client, assert }, { given, states }) => {
      const tag = await createStates()
      const expected = states.map((state) => `${state} ${tag}`)
      const request = { search: tag, ...given }
      const { total, ...lists } = await listEverywhere(client, request)
      const exports = await exportEverywhere(client, request)
      assert.equal(total, expected.length)
      for (const [name, list] of Object.entries({ ...lists, ...exports })) {
        assert.deepEqual(list, expected, name)
      }
    })

  test('from exactly then on is part of the list', async ({ assert }) => {
    const user = await createUser({ password: null })
    const search = user.email
    const at = user.createdAt.toMillis()
    for (const [from, count] of [
      [at - 1, 1],
      [at, 1],
      [at + 1, 0],
    ]) {
      const selection = await selectUsers({ search, createdFrom: from })
      assert.equal(await countUsers(selection), count)
    }
  })

  test('that is no time is refused', async ({ client }) => {
    const { headers } = await signedIn(client, await createAdmin())
    for (const given of [
      { createdFrom: 'yesterday' },
      { lastLoginFrom: '5' },
      { mfa: 'on' },
      { kind: 'x' },
    ]) {
      const response = await client.get('/users').qs(given).headers(headers)
      response.assertStatus(400)
    }
  })
})

test.group('User lists | order', () => {
  test('{sort} is the same in every list')
    .with(sortsOf(API_ORDERS).map((sort) => ({ sort })))
    .run(async ({ client, assert }, { sort }) => {
      const tag = await createStates()
      const { first, total, ...lists } = await listEverywhere(client, { search: tag, sort })
      assert.lengthOf(first, total)
      for (const [name, list] of Object.entries(lists)) assert.deepEqual(list, first, name)
    })

  test('{order} is walked forward and back, descending: {isDescending}')
    .with(
      (Object.keys(USER_ORDERS) as Sort['order'][]).flatMap((order) => [
        { order, isDescending: false },
        { order, isDescending: true },
      ])
    )
    .run(async ({ assert }, sort) => {
      const selection = await selectUsers({ search: await createStates() })
      const pages: string[][] = []
      let [after, before]: (string | null)[] = [null, null]
      do {
        const position = after ? parseCursor(after, sort.order) : null
        const page = await listUsersByCursor(selection, { ...sort, after: position, limit: 3 })
        assert.equal(page.previousCursor === null, pages.length === 0)
        pages.push(page.users.map(({ id }) => id))
        after = page.nextCursor
        before = page.previousCursor
      } while (after)
      assert.lengthOf(new Set(pages.flat()), Object.keys(STATES).length)
      for (const expected of pages.slice(0, -1).reverse()) {
        const position = parseCursor(before!, sort.order)
        const page = await listUsersByCursor(selection, { ...sort, before: position, limit: 3 })
        assert.deepEqual(
          page.users.map(({ id }) => id),
          expected
        )
        assert.isNotNull(page.nextCursor)
        before = page.previousCursor
      }
      assert.isNull(before)
    })
})

test.group('User lists | console', () => {
  const encode = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

  test('shows the first page for a cursor {name}')
    .with([
      { name: 'that is no JSON', cursor: 'nonsense' },
      { name: 'beyond a bigint', cursor: encode(['createdAt', 1e300, randomUUID()]) },
      { name: 'with a fraction', cursor: encode(['createdAt', 0.5, randomUUID()]) },
      { name: 'of another order', cursor: encode(['email', 'a', randomUUID()]) },
      { name: 'without an order', cursor: encode([1, randomUUID()]) },
      { name: 'of something else', cursor: encode(null) },
    ])
    .run(async ({ client, assert }, { cursor }) => {
      const visit = await consoleOf(await createAdmin())
      const tag = await createStates()
      for (const name of ['after', 'before']) {
        const query = { search: tag, sort: 'created', [name]: cursor }
        const page = await visit(client, '/admin/users', query)
        page.assertStatus(200)
        const names = await namesOfPage(page.text())
        assert.deepEqual(
          names,
          Object.keys(STATES).map((state) => `${state} ${tag}`)
        )
      }
    })

  test('is narrowed by {criteria}')
    .with([
      { criteria: 'mfa=yes', states: ['signed in', 'locked'] },
      { criteria: 'mfa=yes&status=active', states: ['signed in'] },
      { criteria: 'mfa=no&status=locked', states: ['locked and invited', 'locked and disabled'] },
      { criteria: 'provider=acme', states: ['lock expired'] },
      { criteria: 'provider=password&role=Admin', states: ['invitation accepted'] },
      { criteria: 'verified=no', states: [] },
      { criteria: 'inactive=1', states: [] },
      { criteria: 'kind=service', states: ['service account'] },
      { criteria: 'kind=service&status=locked', states: [] },
    ])
    .run(async ({ client, assert }, { criteria, states }) => {
      const visit = await consoleOf(await createAdmin())
      const tag = await createStates()
      const query = { ...Object.fromEntries(new URLSearchParams(criteria)), search: tag }
      const page = await visit(client, '/admin/users', { ...query, sort: 'created' })
      page.assertStatus(200)
      const names = await namesOfPage(page.text())
      assert.deepEqual(
        names,
        states.map((state) => `${state} ${tag}`)
      )
    })
})
