import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { createGroup, deleteGroup } from '#groups/groups'
import { addMember, setGroupsOf } from '#groups/members'
import provider from '#config/oidc'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import type { Scope } from '#auth/api_keys/scopes'
import type { ApiClient } from '@japa/api-client'

const someName = (start = 'Staff') => `${start} ${randomUUID()}`

const newGroup = (name = someName()) => createGroup({ name }, SYSTEM)

const newUser = (username = 'Ada') => createUser({ username, password: null })

async function admin(client: ApiClient) {
  const user = await createAdmin()
  const { headers } = await signedIn(client, user)
  return { user, headers }
}

/** Returns the query of the next page. */
function nextOf(response: { header(name: string): unknown }) {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(response.header('link') ?? '')) ?? []
  return url ? Object.fromEntries(new URL(url).searchParams) : null
}

const UNKNOWN = '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'

test.group('Groups API | groups', () => {
  test('a group is made, read, changed and deleted', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const given = { name: someName(), title: 'Staff', description: null }
    const made = await client.post('/groups').headers(headers).json(given)
    made.assertStatus(201)
    const group = { id: made.body().id, ...given, memberCount: 0 }
    assert.deepEqual(made.body(), group)
    const read = await client.get(`/groups/${group.id}`).headers(headers)
    assert.deepEqual(read.body(), group)
    const sent = { ...group, description: 'Everybody' }
    const changed = await client.put(`/groups/${group.id}`).headers(headers).json(sent)
    assert.deepEqual(changed.body(), sent)
    const deleted = await client.delete(`/groups/${group.id}`).headers(headers)
    assert.deepEqual([deleted.status(), deleted.text()], [204, ''])
    const gone = await client.delete(`/groups/${group.id}`).headers(headers)
    gone.assertStatus(404)
  })

  test('a name of another group is refused', async ({ client }) => {
    const { headers } = await admin(client)
    const [one, other] = [await newGroup(), await newGroup()]
    const body = { name: one.name.toUpperCase() }
    for (const request of [client.post('/groups'), client.put(`/groups/${other.id}`)]) {
      const response = await request.headers(headers).json(body)
      response.assertStatus(409)
      response.assertBodyContains({ code: 'E_GROUP_EXISTS' })
    }
  })

  test('the name “{$self}” is refused on its field')
    .with(['', ' a', 'a ', 'a\u0000', 'a\u200B', 'acme:staff', 'x'.repeat(129), 7, ['a'], {}])
    .run(async ({ client, assert }, name) => {
      const { headers } = await admin(client)
      const { id } = await newGroup()
      for (const request of [client.post('/groups'), client.put(`/groups/${id}`)]) {
        const response = await request.headers(headers).unsafeJson({ name })
        response.assertStatus(400)
        assert.equal(response.body().errors[0].field, 'name')
      }
    })

  test('a prototype key is a name like any other', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const name = '__proto__'
    const response = await client.post('/groups').headers(headers).json({ name })
    response.assertStatus(201)
    const user = await newUser()
    const request = client.put(`/users/${user.id}/groups`).headers(headers)
    const set = await request.json({ groups: [name] })
    assert.deepEqual(set.body(), { groups: [name] })
    await deleteGroup(response.body().id, SYSTEM)
  })

  test('an unknown or malformed id is not found', async ({ client }) => {
    const { headers } = await admin(client)
    for (const id of [UNKNOWN, 'x', '%00', '1e300']) {
      for (const path of [`/groups/${id}`, `/groups/${id}/members`]) {
        const response = await client.get(path).headers(headers)
        response.assertStatus(404)
      }
    }
  })
})

test.group('Groups API | list', () => {
  test('pages have each group once, by name', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const word = randomUUID()
    for (const at of [3, 1, 4, 2, 0]) await newGroup(`${at % 2 ? 'g' : 'G'}${at} ${word}`)
    const names: string[] = []
    let query: Record<string, unknown> | null = { search: word.toUpperCase(), limit: 2 }
    while (query) {
      const response = await client.get('/groups').headers(headers).qs(query)
      names.push(...response.body().map(({ name }: { name: string }) => name[1]))
      query = nextOf(response)
    }
    assert.deepEqual(names, ['0', '1', '2', '3', '4'])
  })

  test('a title is searched too, and no pattern', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const title = randomUUID()
    await createGroup({ name: someName(), title }, SYSTEM)
    const found = await client
      .get('/groups')
      .headers(headers)
      .qs({ search: title.slice(3) })
    assert.lengthOf(found.body(), 1)
    const none = await client
      .get('/groups')
      .headers(headers)
      .qs({ search: `${title}%` })
    assert.lengthOf(none.body(), 0)
  })

  test('{$self} is refused on its field')
    .with(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=WyJcdTAwMDAiXQ', 'search='])
    .run(async ({ client, assert }, query) => {
      const { headers } = await admin(client)
      const response = await client.get(`/groups?${query}`).headers(headers)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, query.split('=')[0])
    })
})

test.group('Groups API | members', () => {
  test('members are added, listed and taken out', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const [group, user] = [await newGroup(), await newUser()]
    const path = `/groups/${group.id}/members`
    for (let time = 1; time <= 2; time++) {
      const added = await client.put(`${path}/${user.id}`).headers(headers)
      added.assertStatus(204)
    }
    const listed = await client.get(path).headers(headers)
    const [{ addedAt, ...member }] = listed.body()
    const { id, username, email } = user
    assert.deepEqual(member, { id, username, nickname: null, email })
    assert.match(addedAt, /^\d{4}-.*Z$/)
    for (let time = 1; time <= 2; time++) {
      const removed = await client.delete(`${path}/${user.id}`).headers(headers)
      removed.assertStatus(204)
    }
    const none = await client.get(path).headers(headers)
    assert.deepEqual(none.body(), [])
  })

  test('pages have each member once', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const group = await newGroup()
    const users = [await newUser(), await newUser(), await newUser()]
    for (const { id } of users) await addMember(id, group.id, SYSTEM)
    const ids: string[] = []
    let query: Record<string, unknown> | null = { limit: 2 }
    while (query) {
      const response = await client.get(`/groups/${group.id}/members`).headers(headers).qs(query)
      ids.push(...response.body().map(({ id }: { id: string }) => id))
      query = nextOf(response)
    }
    assert.deepEqual(ids, users.map(({ id }) => id).toSorted())
  })

  test('an unknown user is not found', async ({ client }) => {
    const { headers } = await admin(client)
    const { id } = await newGroup()
    for (const userId of [UNKNOWN, 'x']) {
      const response = await client.put(`/groups/${id}/members/${userId}`).headers(headers)
      response.assertStatus(404)
    }
  })

  test('a full account joins no other group', async ({ client }) => {
    const { headers } = await admin(client)
    const user = await newUser()
    const names = Array.from({ length: 101 }, () => someName())
    for (const name of names) await newGroup(name)
    await setGroupsOf(user.id, names.slice(1), SYSTEM)
    const request = client.put(`/users/${user.id}/groups`).headers(headers)
    const response = await request.json({ groups: names })
    response.assertStatus(409)
    response.assertBodyContains({ code: 'E_GROUP_LIMIT' })
  })
})

test.group('Groups API | groups of an account', () => {
  test('a set answers with what is so now, sorted', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const user = await newUser()
    const [b, a] = [await newGroup(someName('b')), await newGroup(someName('a'))]
    const path = `/users/${user.id}/groups`
    const set = await client
      .put(path)
      .headers(headers)
      .json({ groups: [b.name, a.name.toUpperCase()] })
    assert.deepEqual(set.body(), { groups: [a.name, b.name] })
    const read = await client.get(path).headers(headers)
    assert.deepEqual(read.body(), set.body())
    const cleared = await client.put(path).headers(headers).json({ groups: [] })
    assert.deepEqual(cleared.body(), { groups: [] })
  })

  test('an unknown name is refused on its field', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const [user, group] = [await newUser(), await newGroup()]
    const path = `/users/${user.id}/groups`
    for (const name of [someName(), 'toString', ' ', 'acme:unknown']) {
      const request = client.put(path).headers(headers)
      const response = await request.json({ groups: [group.name, name] })
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'groups')
    }
    const read = await client.get(path).headers(headers)
    assert.deepEqual(read.body(), { groups: [] })
  })

  test('{$self} is no list of names')
    .with([undefined, null, 'staff', [7], [{}], { 0: 'a' }])
    .run(async ({ client }, groups) => {
      const { headers } = await admin(client)
      const { id } = await newUser()
      const response = await client
        .put(`/users/${id}/groups`)
        .headers(headers)
        .unsafeJson({ groups })
      response.assertStatus(400)
    })

  test('users see their own groups with titles', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const none = await client.get('/auth/groups').headers(headers)
    assert.deepEqual(none.body(), [])
    const name = someName()
    const group = await createGroup({ name, title: 'Staff' }, SYSTEM)
    await addMember(user.id, group.id, SYSTEM)
    const own = await client.get('/auth/groups').headers(headers)
    assert.deepEqual(own.body(), [{ name, title: 'Staff' }])
  })

  test('other users change and read no groups', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const { id } = await newGroup()
    for (const path of ['/groups', `/groups/${id}`, `/users/${user.id}/groups`]) {
      const response = await client.get(path).headers(headers)
      response.assertStatus(403)
    }
    const joining = await client.put(`/groups/${id}/members/${user.id}`).headers(headers)
    joining.assertStatus(403)
  })
})

test.group('Groups API | list of accounts', () => {
  test('a group filters the accounts, in both versions', async ({ client, assert }) => {
    const { headers } = await admin(client)
    const group = await newGroup()
    const users = [await newUser('Ada'), await newUser('Bea'), await newUser('Cy')]
    for (const { id } of users.slice(1)) await addMember(id, group.id, SYSTEM)
    const query = { group: group.name.toUpperCase(), sort: '-username' }
    for (const path of ['/users', '/api/v2/users']) {
      const response = await client.get(path).headers(headers).qs(query)
      const names = response.body().data.map(({ username }: { username: string }) => username)
      assert.deepEqual(names, ['Cy', 'Bea'])
    }
    const numbered = await client.get('/users').headers(headers).qs(query)
    assert.equal(numbered.body().meta.total, 2)
    const both = await client
      .get('/users')
      .headers(headers)
      .qs({ ...query, search: 'Bea', role: 'User' })
    assert.equal(both.body().meta.total, 1)
  })

  test('a key needs the scope of groups for the filter', async ({ client, assert }) => {
    const { user } = await admin(client)
    const group = await newGroup()
    const scopes = { 'users:read': 403, 'users:read groups:read': 200 }
    for (const [granted, status] of Object.entries(scopes)) {
      const { headers } = await keyOf(user, granted.split(' ') as Scope[])
      for (const path of ['/users', '/api/v2/users']) {
        const filtered = await client.get(path).headers(headers).qs({ group: group.name })
        const unknown = await client.get(path).headers(headers).qs({ group: someName() })
        const unfiltered = await client.get(path).headers(headers)
        const statuses = [filtered, unknown, unfiltered].map((response) => response.status())
        assert.deepEqual(statuses, [status, status === 200 ? 400 : 403, 200])
      }
    }
  })

  test('no application may filter by a group', async ({ client, assert }) => {
    const { user } = await admin(client)
    const group = await newGroup()
    const app = await application({ kind: 'first_party', scopes: ['openid', 'users:read'] })
    const parameters = { resource: provider.issuer, scope: 'openid users:read' }
    const tokens = await tokensOf(app, await browserOf(user), parameters)
    const list = (query: object) => client.get('/users').bearerToken(tokens.access_token).qs(query)
    const responses = [
      await list({}),
      await list({ group: group.name }),
      await list({ group: 'x' }),
    ]
    assert.deepEqual(
      responses.map((response) => response.status()),
      [200, 403, 403]
    )
  })

  test('an unknown group is refused on its field', async ({ client, assert }) => {
    const { headers } = await admin(client)
    for (const path of ['/users', '/api/v2/users']) {
      const response = await client.get(path).headers(headers).qs({ group: someName() })
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'group')
    }
  })
})
