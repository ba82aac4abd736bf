import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { addMember, removeMember, setGroupsOf } from '#groups/members'
import { findNamedGroups } from '#oidc/clients/access/named_groups'
import { giveConsent } from '#oidc/consents/consents'
import { createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'

const someName = (start: string) => `${start} ${randomUUID()}`

const newGroup = (name = someName('Staff')) => createGroup({ name }, SYSTEM)

type Settings = Parameters<typeof application>[0]

/** Returns what an application learns about the user from the ID token and from userinfo. */
async function learn(user: User, settings: Settings = {}, scope = 'openid groups') {
  const app = await application({ kind: 'first_party', ...settings })
  const tokens = await tokensOf(app, await browserOf(user), { scope })
  const ask = () => oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
  return { tokens, ask, claims: tokens.claims()!, userinfo: await ask() }
}

test.group('OpenID provider | groups', () => {
  test('are sorted names in the ID token and userinfo', async ({ assert }) => {
    const user = await createUser()
    const names = [someName('b'), someName('A'), someName('a')]
    for (const name of names) await newGroup(name)
    await setGroupsOf(user.id, names, SYSTEM)
    const { tokens, claims, userinfo } = await learn(user)
    assert.deepEqual(claims.groups, names.toSorted())
    assert.deepEqual(userinfo.groups, names.toSorted())
    assert.equal(tokens.scope, 'openid groups')
  })

  test('are an empty list for a user without one', async ({ assert }) => {
    const { claims, userinfo } = await learn(await createUser())
    assert.deepEqual([claims.groups, userinfo.groups], [[], []])
  })

  test('come with their scope alone', async ({ assert }) => {
    const { claims, userinfo } = await learn(await createUser(), {}, 'openid profile email')
    assert.notProperty(claims, 'groups')
    assert.notProperty(userinfo, 'groups')
  })

  test('are in the ID token without its other claims', async ({ assert }) => {
    const settings = { idTokenClaims: false }
    const { claims } = await learn(await createUser(), settings, 'openid email groups')
    assert.property(claims, 'groups')
    assert.notProperty(claims, 'email')
  })

  test('are for a third party that has the scope', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ scopes: ['openid', 'groups'] })
    const consent = { userId: user.id, clientId: app.client.clientId }
    const source = { ...SYSTEM, id: user.id }
    await giveConsent(consent, { scopes: ['openid', 'groups'], resources: [] }, source)
    const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid groups' })
    assert.property(tokens.claims(), 'groups')
  })

  test('are left out for a third party without the scope', async ({ assert }) => {
    const user = await createUser()
    const app = await application()
    const consent = { userId: user.id, clientId: app.client.clientId }
    const source = { ...SYSTEM, id: user.id }
    await giveConsent(consent, { scopes: ['openid'], resources: [] }, source)
    const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid groups' })
    assert.equal(tokens.scope, 'openid')
    assert.notProperty(tokens.claims(), 'groups')
  })

  test('are current in userinfo', async ({ assert }) => {
    const [user, group, other] = [await createUser(), await newGroup(), await newGroup()]
    await addMember(user.id, group.id, SYSTEM)
    const { ask } = await learn(user)
    const groups = async () => {
      const { groups: names } = await ask()
      return names
    }
    const name = someName('Team')
    await updateGroup(group.id, { name }, SYSTEM)
    assert.deepEqual(await groups(), [name])
    await addMember(user.id, other.id, SYSTEM)
    assert.sameMembers((await groups()) as string[], [name, other.name])
    await deleteGroup(group.id, SYSTEM)
    assert.deepEqual(await groups(), [other.name])
    await removeMember(user.id, other.id, SYSTEM)
    assert.deepEqual(await groups(), [])
  })

  test('are asked for by name too', async ({ assert }) => {
    const [user, group] = [await createUser(), await newGroup()]
    await addMember(user.id, group.id, SYSTEM)
    const app = await application({ kind: 'first_party' })
    const claims = JSON.stringify({ id_token: { groups: null } })
    const tokens = await tokensOf(app, await browserOf(user), { scope: 'openid', claims })
    assert.deepEqual(tokens.claims()!.groups, [group.name])
  })

  test('stand in discovery', async ({ client, assert }) => {
    const response = await client.get('/.well-known/openid-configuration')
    assert.include(response.body().scopes_supported, 'groups')
    assert.include(response.body().claims_supported, 'groups')
  })
})

test.group('Groups in use | claims', () => {
  /** Finds whether a name is in use if only these clients claim groups. Counts JSON parsing. */
  async function useOf(names: string[], claims: Record<string, string>[]) {
    const ids: string[] = []
    for (const each of claims) {
      const { client } = await application({ kind: 'first_party', claims: each })
      ids.push(client.id)
    }
    const { parse } = JSON
    let parsed = 0
    const trx = await db.transaction()
    try {
      await trx.from('oauth_clients').update({ allowed_groups: '[]' })
      await trx.from('oauth_clients').whereNotIn('id', ids).update({ claims: '{}' })
      JSON.parse = (text, ...rest) => {
        parsed++
        return parse(text, ...rest)
      }
      const groups = names.map((name) => ({ id: randomUUID(), name }))
      const named = await findNamedGroups(groups, trx)
      return { isUsed: named.length > 0, parsed }
    } finally {
      JSON.parse = parse
      await trx.rollback()
    }
  }

  test('{source} uses Staff/Berlin: {isUsed}')
    .with([
      { source: 'groups', isUsed: true },
      { source: 'groups:Staff/', isUsed: true },
      { source: 'groups:Staff/Berlin', isUsed: true },
      { source: 'groups:Staff/Berlins', isUsed: false },
      { source: 'groups:staff/', isUsed: false },
      { source: '=groups', isUsed: false },
    ])
    .run(async ({ assert }, { source, isUsed }) => {
      const use = await useOf(
        ['Admins', 'Staff/Berlin'],
        [{ plan: 'username' }, { tenant: source }]
      )
      assert.equal(use.isUsed, isUsed)
    })

  test('the claims of a client are read once for many groups', async ({ assert }) => {
    const names = Array.from({ length: 50 }, (_, at) => `Staff ${at}`)
    const claims = Array.from({ length: 3 }, (_, at) => ({ tenant: `groups:Team ${at}` }))
    const { isUsed, parsed } = await useOf(names, claims)
    assert.deepEqual([isUsed, parsed <= 2 * claims.length], [false, true])
  })
})
