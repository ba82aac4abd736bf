import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/external'
import limits from '#config/limits'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { OidcProvider } from '#auth/external/oidc_provider'
import { createGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { addMember, removeMember, setGroupsOf } from '#groups/members'
import { groupNamesOf } from '#groups/names_of'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { leaveLapsedGroups } from '#groups/provided/leave_provided'
import { lockAllowedGroups } from '#oidc/clients/access/allowed_groups'
import { unlinkProvider } from '#users/unlink_identity'
import { createUser, someEmail } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { TestBrowser } from './browser.ts'

const DAY_MS = 86_400_000

test.group('External login | groups', (group) => {
  const hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  group.setup(() => hostile.start())
  group.teardown(() => hostile.stop() as Promise<void>)

  /** Makes a person at the provider, and a function that signs them in with given claims. */
  function someone() {
    const person = { sub: randomUUID(), email: someEmail(), email_verified: true }
    const signIn = async (claims: object = {}, provider = 'hostile') => {
      hostile.behaviour = { claims: { ...person, ...claims } }
      const browser = new TestBrowser()
      const response = await browser.request(await browser.callbackOf(provider))
      return { status: response.status, body: (await response.json()) as any }
    }
    const user = () => User.findByOrFail('email', person.email)
    const names = async () => groupNamesOf(await user())
    return { ...person, signIn, user, names }
  }

  /** Returns names that no other test uses. */
  function some(...names: string[]) {
    const mark = randomUUID().slice(0, 8)
    const groups = names.map((name) => `${name} ${mark}`)
    return { groups, expected: groups.map((name) => `hostile:${name}`).toSorted() }
  }

  async function groupNamed(name: string) {
    const made = await createGroup({ name: `${name} ${randomUUID()}` }, SYSTEM)
    return made
  }

  async function warnings(step: () => Promise<unknown>) {
    const lines: any[] = []
    const warn = logger.warn
    logger.warn = ((...line: unknown[]) => lines.push(line[0])) as any
    try {
      await step()
    } finally {
      logger.warn = warn
    }
    return lines
  }

  test('each sign-in sets what the provider says', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff', 'admins', 'ops')
    await ada.signIn({ groups: groups.slice(0, 2) })
    const first = await ada.names()
    await ada.signIn({ groups: groups.slice(1) })
    assert.deepEqual(
      first,
      expected.filter((name) => !name.includes('ops'))
    )
    assert.deepEqual(
      await ada.names(),
      expected.filter((name) => !name.includes('staff'))
    )
  })

  test('an absent claim changes nothing, and an empty list clears', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    const seen: string[][] = []
    for (const claims of [{ groups }, {}, { groups: null }, { groups: { a: 1 } }, { groups: [] }]) {
      await ada.signIn(claims)
      seen.push(await ada.names())
    }
    assert.deepEqual(seen, [expected, expected, expected, expected, []])
  })

  test('a name that looks like another one is a group of its own', async ({ assert }) => {
    const [ada, eve] = [someone(), someone()]
    const { groups, expected } = some('staff')
    const alike = groups[0].replace('s', 'ſ')
    await eve.signIn({ groups: [alike] })
    await ada.signIn({ groups })
    assert.deepEqual([await eve.names(), await ada.names()], [[`hostile:${alike}`], expected])
    await eve.signIn({ groups: [groups[0].toUpperCase()] })
    assert.deepEqual(await eve.names(), expected)
  })

  test('an application closed to a group is open to no other that looks like it', async ({
    assert,
  }) => {
    const eve = someone()
    const { groups } = some('staff')
    await eve.signIn({ groups: [groups[0].replace('s', 'ſ')] })
    const close = () => db.transaction((trx) => lockAllowedGroups([`hostile:${groups[0]}`], trx))
    const refusal = await close().catch((error) => error)
    assert.containsSubset(refusal.members.errors, [{ field: 'allowedGroups', rule: 'group' }])
  })

  test('a single name may come as a text', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn({ groups: groups[0] })
    assert.deepEqual(await ada.names(), expected)
  })

  test('user info may have what the ID token lacks', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn()
    hostile.behaviour = {
      claims: {
        sub: ada.sub,
        email: ada.email,
        email_verified: true,
        picture: 'https://a.example',
      },
      userInfo: { groups },
    }
    const browser = new TestBrowser()
    await browser.request(await browser.callbackOf('hostile'))
    assert.deepEqual(await ada.names(), expected)
  })

  test('memberships from here and of other providers stay', async ({ assert }) => {
    const ada = someone()
    const { groups } = some('staff')
    await ada.signIn({ groups })
    const { id: userId } = await ada.user()
    const own = await groupNamed('own')
    await addMember(userId, own.id, SYSTEM)
    await ada.signIn({ groups: [] }, 'google')
    const afterOther = await ada.names()
    await ada.signIn({ groups: [] })
    assert.deepEqual(afterOther, [`hostile:${groups[0]}`, own.name].toSorted())
    assert.deepEqual(await ada.names(), [own.name])
  })

  test('roles never come from a provider', async ({ assert }) => {
    const ada = someone()
    await ada.signIn({ groups: ['Admin'], role: 'Admin', roles: ['Admin'] })
    const { role } = await ada.user()
    assert.equal(role, 'User')
  })

  test('names outside the rule are left out with a line', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    const hostileNames = ['', ' space', 'line\nbreak', 'x'.repeat(129), 7, null, { a: 1 }]
    const lines = await warnings(() => ada.signIn({ groups: [...hostileNames, ...groups] }))
    assert.deepEqual(await ada.names(), expected)
    assert.containsSubset(lines, [{ provider: 'hostile', leftOut: 7 }])
  })

  test('a name in other letters is the same group', async ({ assert }) => {
    const [ada, grace] = [someone(), someone()]
    const { groups, expected } = some('staff')
    await ada.signIn({ groups })
    await grace.signIn({ groups: [groups[0].toUpperCase(), groups[0]] })
    assert.deepEqual(await grace.names(), expected)
  })

  test('{own} groups of its own leave room for {given}')
    .with([
      { own: 1, given: 2 },
      { own: 2, given: 1 },
      { own: 3, given: 0 },
    ])
    .run(async ({ assert, cleanup }, { own, given }) => {
      const limit = limits.groupsOfUser
      cleanup(() => void (limits.groupsOfUser = limit))
      const ada = someone()
      await ada.signIn()
      const { id } = await ada.user()
      for (let at = 0; at < own; at += 1) {
        const { id: groupId } = await groupNamed('own')
        await addMember(id, groupId, SYSTEM)
      }
      limits.groupsOfUser = 3
      const { status } = await ada.signIn(some('a', 'b', 'c'))
      const names = await ada.names()
      assert.equal(status, 200)
      assert.lengthOf(
        names.filter((name) => name.startsWith('hostile:')),
        given
      )
      assert.lengthOf(names, own + given)
    })

  test('no group is made beyond the limit, and the sign-in goes on', async ({
    assert,
    cleanup,
  }) => {
    const ada = someone()
    await ada.signIn()
    const limit = limits.groups
    cleanup(() => void (limits.groups = limit))
    limits.groups = 0
    const { status } = await ada.signIn(some('staff'))
    assert.equal(status, 200)
    assert.deepEqual(await ada.names(), [])
  })

  test('a group for which there is no room is counted in a line', async ({ assert, cleanup }) => {
    const ada = someone()
    await ada.signIn()
    const limit = limits.providedGroups
    cleanup(() => void (limits.providedGroups = limit))
    limits.providedGroups = 0
    const lines = await warnings(() => ada.signIn(some('staff', 'ops')))
    assert.containsSubset(lines, [{ provider: 'hostile', leftOut: 2 }])
  })

  test('a group that a sign-in makes is an event', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn({ groups })
    await ada.signIn({ groups })
    const made = await recordsWhere({ action: 'group.created' })
    assert.lengthOf(
      made.filter(({ details }) => details.group === expected[0]),
      1
    )
  })

  test('users who bring a new group at once share it', async ({ assert }) => {
    const users = await Promise.all(Array.from({ length: 8 }, () => createUser()))
    const { groups, expected } = some('staff', 'ops')
    const signIn = ({ id: userId }: User) =>
      db.transaction(async (trx) => {
        await User.lockForUpdate(userId, trx)
        await setProvidedGroups({ userId, provider: 'hostile', groups, actor: SYSTEM }, trx)
      })
    await Promise.all(users.map(signIn))
    for (const { id } of users)
      assert.deepEqual(await groupNamesOf(await User.findOrFail(id)), expected)
    const { memberCount } = (await findGroupByName(expected[0]))!
    assert.equal(memberCount, users.length)
  })

  test('a claimed name is not normalized again for each group', async ({ assert, cleanup }) => {
    const mark = randomUUID()
    const groups = Array.from({ length: 60 }, (_, at) => `${mark} ${'e\u0301'.repeat(at)}`)
    const { normalize } = String.prototype
    let count = 0
    String.prototype.normalize = function (form?: string) {
      if (this.includes(mark)) count++
      return normalize.call(this, form)
    }
    cleanup(() => void (String.prototype.normalize = normalize))
    const { id: userId } = await createUser()
    const signIn = { userId, provider: 'hostile', groups, actor: SYSTEM }
    await db.transaction((trx) => setProvidedGroups(signIn, trx))
    assert.isBelow(count, 20 * groups.length)
  })

  test('a second factor comes before the groups', async ({ assert, client }) => {
    const ada = someone()
    await ada.signIn()
    const code = await giveSecondFactor(await ada.user())
    const { groups, expected } = some('staff')
    const { body } = await ada.signIn({ groups })
    const before = await ada.names()
    const answer = await client.post('/auth/mfa/verify').json({ mfaToken: body.mfaToken, code })
    answer.assertStatus(200)
    assert.equal(body.code, 'E_MFA_REQUIRED')
    assert.deepEqual(before, [])
    assert.deepEqual(await ada.names(), expected)
  })

  test('a refused sign-in changes no group', async ({ assert }) => {
    const ada = someone()
    await ada.signIn()
    await User.query().where('email', ada.email).update({ disabled_at: Date.now() })
    const { status } = await ada.signIn(some('staff'))
    assert.equal(status, 403)
    assert.deepEqual(await ada.names(), [])
  })

  test('its memberships are read-only here', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn({ groups })
    const { id } = await ada.user()
    const { id: groupId } = (await findGroupByName(expected[0]))!
    const other = await createUser()
    await assert.rejects(() => removeMember(id, groupId, SYSTEM), /cannot be changed here/)
    await assert.rejects(() => addMember(other.id, groupId, SYSTEM), /cannot be changed here/)
    assert.deepEqual(await setGroupsOf(id, [], SYSTEM), expected)
  })

  test('unlinking leaves them', async ({ assert }) => {
    const ada = someone()
    await ada.signIn(some('staff'))
    const { id } = await ada.user()
    await User.query().where('id', id).update({ password: 'x' })
    await unlinkProvider(id, { provider: 'hostile' }, SYSTEM)
    assert.deepEqual(await ada.names(), [])
  })

  test('{age} ms after the last sign-in {left}')
    .with([
      { age: -1, left: 'they stay' },
      { age: 0, left: 'they stay' },
      { age: 1, left: 'they are left' },
    ])
    .run(async ({ assert }, { age, left }) => {
      const ada = someone()
      const { groups, expected } = some('staff')
      await ada.signIn({ groups })
      const { id } = await ada.user()
      const seen = await db.from('provider_memberships').where('user_id', id).first()
      await leaveLapsedGroups(Number(seen.seen_at) + settings.groupsTtlMs + age)
      assert.deepEqual(await ada.names(), left === 'they stay' ? expected : [])
    })

  test('a sign-in without the claim keeps them for longer', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn({ groups })
    const { id } = await ada.user()
    const rows = () => db.from('provider_memberships').where('user_id', id)
    await rows().update({ seen_at: Date.now() - settings.groupsTtlMs - DAY_MS })
    await ada.signIn()
    await leaveLapsedGroups()
    assert.deepEqual(await ada.names(), expected)
  })

  test('a provider that says nothing of groups any more loses them', async ({
    assert,
    cleanup,
  }) => {
    const ada = someone()
    await ada.signIn(some('staff'))
    const provider: any = settings.oidc.find(({ name }) => name === 'hostile')
    cleanup(() => void (provider.groupsClaim = 'groups'))
    provider.groupsClaim = null
    await leaveLapsedGroups()
    assert.deepEqual(await ada.names(), [])
  })

  test('each change is an event of the user', async ({ assert }) => {
    const ada = someone()
    const { groups, expected } = some('staff')
    await ada.signIn({ groups })
    await ada.signIn({ groups })
    await ada.signIn({ groups: [] })
    const { id } = await ada.user()
    const records = await recordsWhere({ target_id: id })
    const events = records.filter(({ action }) => action.startsWith('group.'))
    assert.sameMembers(
      events.map(({ action }) => action),
      ['group.member_added', 'group.member_removed']
    )
    assert.containsSubset(events[0].details, { group: expected[0] })
  })

  test('a scope of this name is asked for where it exists', async ({ assert }) => {
    const client = { name: 'some', issuer: hostile.issuer, clientId: 'a', clientSecret: 'b' }
    const request = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43), startedAt: Date.now() }
    const scopeWith = async (groupsClaim: string | null, scopes: string[]) => {
      hostile.behaviour = { scopes }
      const provider = new OidcProvider({ ...client, groupsClaim })
      const url = await provider.authorizationUrl(request, 'https://a.example/callback')
      return url.searchParams.get('scope')
    }
    const plain = 'openid email profile'
    assert.equal(await scopeWith('groups', ['openid', 'groups']), `${plain} groups`)
    assert.equal(await scopeWith('groups', ['openid']), plain)
    assert.equal(await scopeWith(null, ['openid', 'groups']), plain)
  })
})
