import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import User from '#models/user'
import { keyActor, SYSTEM, userActor } from '#audit/actor'
import { finishDeletions } from '#groups/finish_deletions'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { findGroup, insertMissingGroups } from '#groups/group_rows'
import { assertMayChangeMember, assertMayRename } from '#groups/permissions'
import { addMember, removeMember, setGroupsOf } from '#groups/members'
import { insertMemberRows } from '#groups/member_rows'
import { groupNamesOf } from '#groups/names_of'
import { registerGroupUse } from '#groups/uses'
import { deleteUser } from '#users/delete_user'
import { createAdmin, createUser } from '#tests/support/fixtures'

const someName = (start = 'Staff') => `${start} ${randomUUID()}`

const newGroup = (name = someName()) => createGroup({ name }, SYSTEM)

const newUser = () => createUser({ password: null })

async function namesOf({ id }: User) {
  return groupNamesOf(await User.findOrFail(id))
}

async function countOf({ id }: { id: string }) {
  const group = await findGroup(id)
  return group?.memberCount ?? 0
}

async function versionOf({ id }: User) {
  const { versionId } = await User.findOrFail(id)
  return versionId
}

async function groupIdsOf({ id }: User) {
  const { groupIds } = await User.findOrFail(id)
  return groupIds
}

/** Makes a membership as a sign-in by a provider does. */
async function provided(user: User) {
  const name = `acme:${randomUUID()}`
  const [group] = await db.transaction((trx) => insertMissingGroups([name], trx))
  const row = { user_id: user.id, group_id: group.id, source: 'acme', added_at: Date.now() }
  await db.transaction((trx) => insertMemberRows([row], trx))
  return group
}

test.group('Groups | names', () => {
  test('two groups never differ in capitals alone', async ({ assert }) => {
    const name = someName()
    await newGroup(name)
    await assert.rejects(() => newGroup(name.toUpperCase()), /has this name/)
    const other = await newGroup()
    const rename = () => updateGroup(other.id, { name: name.toUpperCase() }, SYSTEM)
    await assert.rejects(rename, /has this name/)
  })

  test('of twenty equal groups at once one is made', async ({ assert }) => {
    const name = someName()
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => newGroup(name)))
    const codes = made.map((each) => (each.status === 'rejected' ? each.reason.code : 'made'))
    assert.lengthOf(
      codes.filter((code) => code === 'made'),
      1
    )
    assert.lengthOf(
      codes.filter((code) => code === 'E_GROUP_EXISTS'),
      19
    )
  })

  test('a group may get other capitals itself', async ({ assert }) => {
    const group = await newGroup()
    const name = group.name.toUpperCase()
    const renamed = await updateGroup(group.id, { name }, SYSTEM)
    assert.equal(renamed.name, name)
  })

  test('a rename holds for every member and writes one row', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    await addMember(user.id, group.id, SYSTEM)
    const version = await versionOf(user)
    const name = someName('Team')
    await updateGroup(group.id, { name }, SYSTEM)
    assert.deepEqual(await namesOf(user), [name])
    assert.equal(await versionOf(user), version)
  })
})

test.group('Groups | members', () => {
  test('a change gives the user another version', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    const version = await versionOf(user)
    await addMember(user.id, group.id, SYSTEM)
    assert.notEqual(await versionOf(user), version)
    assert.deepEqual(await namesOf(user), [group.name])
    await removeMember(user.id, group.id, SYSTEM)
    assert.deepEqual(await namesOf(user), [])
  })

  test('a repeated change changes nothing', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    for (let time = 1; time <= 2; time++) await addMember(user.id, group.id, SYSTEM)
    assert.equal(await countOf(group), 1)
    for (let time = 1; time <= 2; time++) await removeMember(user.id, group.id, SYSTEM)
    assert.equal(await countOf(group), 0)
    const events = await db.from('audit_events').where('target_id', user.id)
    const actions = events.map(({ action }) => action).filter((action) => /^group/.test(action))
    assert.sameMembers(actions, ['group.member_added', 'group.member_removed'])
  })

  test('a set names the groups in any capitals', async ({ assert }) => {
    const [one, other, user] = [await newGroup(), await newGroup(), await newUser()]
    await addMember(user.id, one.id, SYSTEM)
    const names = [other.name.toUpperCase(), other.name]
    assert.deepEqual(await setGroupsOf(user.id, names, SYSTEM), [other.name])
    assert.equal(await countOf(one), 0)
    assert.equal(await countOf(other), 1)
  })

  test('a set with an unknown name changes nothing', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    const set = () => setGroupsOf(user.id, [group.name, someName()], SYSTEM)
    await assert.rejects(set, 'request parameter error')
    assert.deepEqual(await namesOf(user), [])
  })

  test('sets at once leave one of them whole', async ({ assert }) => {
    const [one, other, user] = [await newGroup(), await newGroup(), await newUser()]
    const sets = Array.from({ length: 10 }, (_, at) => [at % 2 ? one.name : other.name])
    await Promise.all(sets.map((names) => setGroupsOf(user.id, names, SYSTEM)))
    assert.lengthOf(await namesOf(user), 1)
    assert.equal([await countOf(one), await countOf(other)].toSorted().join(), '0,1')
  })

  test('a deletion of the user leaves the groups', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    await addMember(user.id, group.id, SYSTEM)
    await deleteUser(user.id, SYSTEM)
    assert.equal(await countOf(group), 0)
  })
})

test.group('Groups | deletion', () => {
  test('ends the memberships in one step', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    await addMember(user.id, group.id, SYSTEM)
    await deleteGroup(group.id, SYSTEM)
    assert.isNull(await groupIdsOf(user))
    const again = await newGroup(group.name)
    assert.deepEqual(await namesOf(user), [])
    assert.equal(again.memberCount, 0)
  })

  test('an interrupted deletion is finished later', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    await addMember(user.id, group.id, SYSTEM)
    await db.from('groups').where('id', group.id).delete()
    await db.table('group_deletions').insert({ group_id: group.id, requested_at: 0 })
    assert.deepEqual(await namesOf(user), [])
    await finishDeletions()
    assert.isNull(await groupIdsOf(user))
  })

  test('a change meanwhile finds no group', async ({ assert }) => {
    const [group, user] = [await newGroup(), await newUser()]
    const changes = [addMember(user.id, group.id, SYSTEM), deleteGroup(group.id, SYSTEM)]
    await Promise.allSettled(changes)
    await finishDeletions()
    const rows = await db.from('group_members').where('group_id', group.id)
    assert.deepEqual(rows, [])
    assert.isNull(await groupIdsOf(user))
  })
})

test.group('Groups | of a provider', () => {
  test('joining or leaving them here is refused', async ({ assert }) => {
    const [user, other] = [await newUser(), await newUser()]
    const group = await provided(user)
    for (const change of [
      () => removeMember(user.id, group.id, SYSTEM),
      () => addMember(other.id, group.id, SYSTEM),
      () => setGroupsOf(other.id, [group.name], SYSTEM),
      () => updateGroup(group.id, { name: someName() }, SYSTEM),
      () => deleteGroup(group.id, SYSTEM),
    ])
      await assert.rejects(change, /manages/)
  })

  test('a set that omits them keeps them', async ({ assert }) => {
    const user = await newUser()
    const group = await provided(user)
    const own = await newGroup()
    const names = await setGroupsOf(user.id, [own.name], SYSTEM)
    assert.sameMembers(names, [own.name, group.name])
    assert.sameMembers(await setGroupsOf(user.id, names, SYSTEM), names)
  })
})

test.group('Groups | callers that no application holds up', () => {
  const named: string[] = []
  registerGroupUse(async (groups) => {
    named.push(...groups.map(({ id }) => id))
    return []
  })

  test('{who} causes no question about applications')
    .with([
      { who: 'a command', actor: SYSTEM },
      { who: 'an API key', actor: keyActor(randomUUID(), userActor(randomUUID(), SYSTEM)) },
      {
        who: 'a recent sign-in',
        actor: { ...userActor(randomUUID(), SYSTEM), hasRecentAuthentication: true },
      },
    ])
    .run(async ({ assert }, { actor }) => {
      const [user, group] = [await newUser(), await newGroup()]
      await db.transaction((trx) => assertMayChangeMember({ user, groups: [group], actor }, trx))
      await db.transaction((trx) => assertMayRename([group], actor, trx))
      assert.notInclude(named, group.id)
    })
})

test.group('Groups | of a user who has too many', () => {
  test('no application is asked about the next one', async ({ assert, cleanup }) => {
    const { groupsOfUser } = limits
    cleanup(() => void Object.assign(limits, { groupsOfUser }))
    const asked: string[] = []
    registerGroupUse(async (groups) => {
      asked.push(...groups.map(({ id }) => id))
      return []
    })
    const [user, first, second] = [await newUser(), await newGroup(), await newGroup()]
    const { id } = await createAdmin()
    Object.assign(limits, { groupsOfUser: 1 })
    await addMember(user.id, first.id, userActor(id, SYSTEM))
    await assert.rejects(() => addMember(user.id, second.id, userActor(id, SYSTEM)))
    assert.include(asked, first.id)
    assert.notInclude(asked, second.id)
  })
})
