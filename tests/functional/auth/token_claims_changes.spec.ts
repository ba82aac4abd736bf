import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { inspectToken } from '#auth/tokens/inspection'
import { updateGroup } from '#groups/groups'
import { addMember, removeMember } from '#groups/members'
import { updateUser } from '#users/update_user'
import { countStatements } from '#tests/support/statements'
import {
  createAdmin,
  createUser,
  decodeClaims,
  keyOf,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import { memberOf, newGroup, refreshed, setClaims, statusOf } from './claimed_tokens.ts'
import type User from '#models/user'
import type { ClaimSources } from '#auth/claims/claim_sources'

async function join(userId: string) {
  const group = await newGroup()
  await addMember(userId, group.id, SYSTEM)
}

type Change = (user: User, group: { id: string }) => Promise<unknown>

const CHANGES: { change: string; claims: ClaimSources; apply: Change }[] = [
  {
    change: 'a group that is left',
    claims: { groups: 'groups' },
    apply: ({ id }, group) => removeMember(id, group.id, SYSTEM),
  },
  {
    change: 'a group that is joined',
    claims: { teams: 'groups:Staff' },
    apply: ({ id }) => join(id),
  },
  {
    change: 'appMetadata',
    claims: { plan: 'appMetadata.plan' },
    apply: ({ id }) => updateUser(id, { appMetadata: { plan: 'pro' } }, SYSTEM),
  },
  {
    change: 'a nickname',
    claims: { name: 'nickname' },
    apply: ({ id }) => updateUser(id, { nickname: 'Countess' }, SYSTEM),
  },
  {
    change: 'an address',
    claims: { mail: 'email' },
    apply: ({ id }) => updateUser(id, { email: someEmail() }, SYSTEM),
  },
]

/** Returns the least of several counts: others include a first read or work of every minute. */
async function leastOf(send: Parameters<typeof countStatements>[0]) {
  const counts: number[] = []
  for (let time = 0; time < 5; time++) {
    const { statements, commands } = await countStatements(send)
    counts.push(statements.length + commands.length)
  }
  return Math.min(...counts)
}

test.group('TOKEN_CLAIMS | changes', (group) => {
  group.each.teardown(() => setClaims({}))

  test('{change} refuses the earlier token, and a refresh gives the next')
    .with(CHANGES)
    .run(async ({ client, assert }, { claims, apply }) => {
      setClaims(claims)
      const staff = await newGroup()
      const user = await memberOf(staff)
      const { headers, accessToken, refreshToken } = await signedIn(client, user)
      assert.equal(await statusOf(client, headers), 200)
      await apply(user, staff)
      assert.equal(await statusOf(client, headers), 401)
      const { reason } = await inspectToken(accessToken)
      assert.match(reason, /TOKEN_CLAIMS/)
      const key = await keyOf(await createAdmin(), ['tokens:introspect'])
      const asked = client.post('/oauth/introspect').headers(key.headers)
      const introspected = await asked.form({ token: accessToken })
      introspected.assertBody({ active: false })
      const next = await refreshed(client, refreshToken)
      const [name] = Object.keys(claims)
      assert.notDeepEqual(next.claims[name], decodeClaims(accessToken)[name])
      assert.equal(await statusOf(client, next.headers), 200)
    })

  test('what is not read leaves the token good', async ({ client, assert }) => {
    setClaims({ plan: 'appMetadata.plan', uid: 'id', env: '=x' })
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await updateUser(user.id, { appMetadata: { seats: 3 }, nickname: 'Countess' }, SYSTEM)
    await join(user.id)
    assert.equal(await statusOf(client, headers), 200)
  })

  test('a renamed group leaves the token good', async ({ client, assert }) => {
    setClaims({ groups: 'groups', teams: 'groups:Staff' })
    const staff = await newGroup()
    const user = await memberOf(staff)
    const { headers, refreshToken } = await signedIn(client, user)
    const name = `Crew ${randomUUID()}`
    await updateGroup(staff.id, { name }, SYSTEM)
    await updateUser(user.id, { nickname: 'Countess' }, SYSTEM)
    assert.equal(await statusOf(client, headers), 200)
    const { claims } = await refreshed(client, refreshToken)
    assert.containsSubset(claims, { groups: [name], teams: [] })
  })

  test('tokens from before the setting are good', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    setClaims({ plan: 'appMetadata.plan' })
    await updateUser(user.id, { appMetadata: { plan: 'pro' } }, SYSTEM)
    assert.equal(await statusOf(client, headers), 200)
  })

  test('a profile of a user {state} sends no more statements')
    .with([
      { state: 'as usual', columns: {} },
      { state: 'with a pending address', columns: { pending_email: someEmail() } },
    ])
    .run(async ({ client, assert }, { columns }) => {
      const user = await createUser()
      const changed = { ...columns, pending_email_at: Date.now() }
      const countOf = async () => {
        const { headers } = await signedIn(client, user)
        await db.from('users').where('id', user.id).update(changed)
        return leastOf((counted) => statusOf(client, { ...headers, ...counted }))
      }
      const before = await countOf()
      assert.isAbove(before, 0)
      setClaims({ groups: 'groups', plan: 'appMetadata.plan' })
      assert.equal(await countOf(), before)
    })
})
