import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import User from '#models/user'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { groupNamesOf } from '#groups/names_of'
import { registerGroupUse } from '#groups/uses'
import { findNamedGroups } from '#oidc/clients/access/named_groups'
import { SYSTEM } from '#audit/actor'
import store from '#auth/store/service'
import {
  createAdmin,
  createUser,
  keyOf,
  PASSWORD,
  signedIn,
  someAddress,
} from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import type { ApiClient } from '@japa/api-client'

const newGroup = () => createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)

/** The groups that an application names in these tests. */
const named = new Set<string>()

/** A group whose name starts with this counts as named in the claim of an application. */
const PREFIX = `team-${randomUUID()}-`

registerGroupUse(async (groups) =>
  groups.filter(({ id, name }) => named.has(id) || name.startsWith(PREFIX))
)

async function key() {
  const owner = await createAdmin()
  const { headers } = await keyOf(owner, ['groups:read', 'groups:write'])
  return { owner, headers }
}

async function oldSession(client: ApiClient) {
  const admin = await createAdmin()
  const { headers, sessionId } = await signedIn(client, admin)
  const old = { amr: ['pwd'], at: Date.now() - 600_001 }
  await store.reauthenticateSession({ userId: admin.id, sessionId }, old)
  return { ...headers, 'x-forwarded-for': someAddress() }
}

test.group('Groups | by an API key', () => {
  test('a key changes no membership of an administrator or its owner', async ({
    client,
    assert,
  }) => {
    const { owner, headers } = await key()
    const group = await newGroup()
    const others = [await createAdmin(), owner]
    for (const { id } of others) {
      const requests = [
        client.put(`/groups/${group.id}/members/${id}`),
        client.put(`/users/${id}/groups`).json({ groups: [group.name] }),
      ]
      for (const request of requests) {
        const response = await request.headers(headers)
        response.assertStatus(403)
        assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE')
      }
    }
  })

  test('a key sends back the groups of an administrator', async ({ client }) => {
    const { owner, headers } = await key()
    const group = await newGroup()
    await addMember(owner.id, group.id, SYSTEM)
    const request = client.put(`/users/${owner.id}/groups`).headers(headers)
    const response = await request.json({ groups: [group.name] })
    response.assertStatus(200)
  })

  test('a key neither renames nor deletes a group of an administrator', async ({ client }) => {
    const { headers } = await key()
    const [group, admin] = [await newGroup(), await createAdmin()]
    await addMember(admin.id, group.id, SYSTEM)
    const renamed = await client
      .put(`/groups/${group.id}`)
      .headers(headers)
      .json({ name: `admins ${randomUUID()}` })
    renamed.assertStatus(403)
    const deleted = await client.delete(`/groups/${group.id}`).headers(headers)
    deleted.assertStatus(403)
    const titled = await client.put(`/groups/${group.id}`).headers(headers).json({ title: 'Staff' })
    titled.assertStatus(200)
  })
})

async function newName() {
  const { name } = await newGroup()
  return name
}

test.group('Groups | changes that count for a key', () => {
  test('three memberships are three, and the same ones again are one', async ({
    client,
    assert,
  }) => {
    setLimit(limits.delegatedChanges, 4)
    const [{ headers }, user] = [await key(), await createUser()]
    const groups = [await newName(), await newName(), await newName()]
    const statuses: number[] = []
    for (let count = 1; count <= 3; count++) {
      const answer = await client.put(`/users/${user.id}/groups`).headers(headers).json({ groups })
      statuses.push(answer.status())
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  test('a change that is over the limit is done, and the next one refused', async ({
    client,
    assert,
  }) => {
    setLimit(limits.delegatedChanges, 2)
    const [{ headers }, user] = [await key(), await createUser()]
    const names = [await newName(), await newName(), await newName()]
    const put = (groups: string[]) =>
      client.put(`/users/${user.id}/groups`).headers(headers).json({ groups })
    const [done, next] = [await put(names), await put([])]
    assert.deepEqual([done.status(), next.status()], [200, 429])
    assert.sameMembers(await groupNamesOf(await User.findOrFail(user.id)), names)
  })

  test('groups that were deleted meanwhile are named by no application', async ({ assert }) => {
    assert.isEmpty(await db.transaction((trx) => findNamedGroups([], trx)))
  })
})

test.group('Groups | that an application names', () => {
  test('an old session changes their members with the password', async ({ client, assert }) => {
    const headers = await oldSession(client)
    const [group, user] = [await newGroup(), await createUser({ password: null })]
    named.add(group.id)
    const path = `/groups/${group.id}/members/${user.id}`
    const refused = await client.put(path).headers(headers)
    refused.assertStatus(403)
    assert.equal(refused.body().code, 'E_RECENT_LOGIN_REQUIRED')
    const added = await client.put(path).headers(headers).json({ currentPassword: PASSWORD })
    added.assertStatus(204)
    const set = await client.put(`/users/${user.id}/groups`).headers(headers).json({ groups: [] })
    assert.equal(set.body().code, 'E_RECENT_LOGIN_REQUIRED')
  })

  test('an old session neither renames nor deletes them', async ({ client, assert }) => {
    const headers = await oldSession(client)
    const group = await newGroup()
    named.add(group.id)
    const name = `Team ${randomUUID()}`
    const renamed = await client.put(`/groups/${group.id}`).headers(headers).json({ name })
    assert.equal(renamed.body().code, 'E_RECENT_LOGIN_REQUIRED')
    const deleted = await client.delete(`/groups/${group.id}`).headers(headers)
    assert.equal(deleted.body().code, 'E_RECENT_LOGIN_REQUIRED')
  })

  test('an old session renames no group into a claim', async ({ client, assert }) => {
    const headers = await oldSession(client)
    const { id } = await newGroup()
    const body = { name: `${PREFIX}admins` }
    const response = await client.put(`/groups/${id}`).headers(headers).json(body)
    assert.equal(response.body().code, 'E_RECENT_LOGIN_REQUIRED')
  })
})
