import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { groupNamesOf } from '#groups/names_of'
import { addMember } from '#groups/members'
import { createUser } from '#tests/support/fixtures'
import { runCommand as run } from '#tests/support/commands'
import GroupAdd from '#commands/group_add'
import GroupCreate from '#commands/group_create'
import GroupDelete from '#commands/group_delete'
import GroupList from '#commands/group_list'
import GroupRemove from '#commands/group_remove'
import GroupShow from '#commands/group_show'
import UserList from '#commands/user_list'

const someName = () => `Staff ${randomUUID()}`

async function namesOf({ id }: User) {
  return groupNamesOf(await User.findOrFail(id))
}

test.group('Commands | groups', () => {
  test('a group is made, listed, shown and deleted', async ({ assert }) => {
    const name = someName()
    const made = await run(GroupCreate, [name, '--title=Staff'])
    assert.containsSubset(made.printed, { name, title: 'Staff', memberCount: 0 })
    const listed = await run(GroupList, [`--search=${name}`])
    assert.deepEqual(listed.printed, [made.printed])
    const shown = await run(GroupShow, [name.toUpperCase()])
    assert.deepEqual(shown.printed, { ...made.printed, members: [] })
    const deleted = await run(GroupDelete, [made.printed.id, '--yes'])
    assert.equal(deleted.code, 0)
    assert.isNull(await findGroupByName(name))
  })

  test('an id means its group, whatever another one is named', async ({ assert }) => {
    const group = await createGroup({ name: someName() }, SYSTEM)
    const other = await createGroup({ name: group.id }, SYSTEM)
    const shown = await run(GroupShow, [group.id])
    assert.equal(shown.printed.name, group.name)
    await run(GroupDelete, [group.id, '--yes'])
    const left = await run(GroupShow, [group.id])
    assert.equal(left.printed.id, other.id)
  })

  test('{what} ends with {code}')
    .with([
      { what: 'a name with a colon', command: GroupCreate, args: ['acme:staff'], code: 2 },
      { what: 'a name with a blank at its end', command: GroupCreate, args: ['staff '], code: 2 },
      { what: 'an unknown group', command: GroupShow, args: ['no such group'], code: 3 },
      { what: 'the deletion of an unknown group', command: GroupDelete, args: ['x'], code: 3 },
      { what: 'an unknown user', command: GroupAdd, args: ['%', 'nobody@example.org'], code: 3 },
    ])
    .run(async ({ assert }, { command, args, code }) => {
      const { name } = await createGroup({ name: someName() }, SYSTEM)
      const result = await run(
        command,
        args.map((each) => (each === '%' ? name : each))
      )
      assert.equal(result.code, code, result.told)
    })

  test('a name that is taken ends with 4', async ({ assert }) => {
    const { name } = await createGroup({ name: someName() }, SYSTEM)
    const { code, told } = await run(GroupCreate, [name.toUpperCase()])
    assert.equal(code, 4)
    assert.include(told, 'has this name')
  })

  test('accounts join and leave, and the others go on', async ({ assert }) => {
    const [one, other] = [
      await createUser({ password: null }),
      await createUser({ password: null }),
    ]
    const { name } = await createGroup({ name: someName() }, SYSTEM)
    const added = await run(GroupAdd, [name, one.email, 'x@example.org', other.handle])
    assert.equal(added.code, 3)
    assert.deepEqual(added.printed, [
      { account: one.email, groups: [name] },
      { account: other.email, groups: [name] },
    ])
    await run(GroupRemove, [name, one.email])
    assert.deepEqual([await namesOf(one), await namesOf(other)], [[], [name]])
  })

  test('a list of accounts takes a group', async ({ assert }) => {
    const user = await createUser({ password: null })
    const { id, name } = await createGroup({ name: someName() }, SYSTEM)
    await addMember(user.id, id, SYSTEM)
    const { printed } = await run(UserList, [`--group=${name}`])
    assert.deepEqual(
      printed.map((record: { id: string }) => record.id),
      [user.id]
    )
  })
})
