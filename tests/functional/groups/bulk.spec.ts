import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import limits from '#config/limits'
import { SYSTEM, userActor } from '#audit/actor'
import { createGroup, deleteGroup } from '#groups/groups'
import { findGroup } from '#groups/group_rows'
import { addMember } from '#groups/members'
import { applyToUsers } from '#users/bulk_actions'
import { createAdmin, createUser } from '#tests/support/fixtures'

const newGroup = () => createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)

async function someUsers(count: number) {
  return Promise.all(Array.from({ length: count }, () => createUser({ password: null })))
}

test.group('Groups | bulk action', () => {
  test('adds users, members and the administrator too', async ({ assert }) => {
    const [users, admin, group] = [await someUsers(3), await createAdmin(), await newGroup()]
    await addMember(users[0].id, group.id, SYSTEM)
    const actor = userActor(admin.id, { ip: null, userAgent: null })
    const request = { action: 'add-to-group' as const, options: { group: group.id }, actor }
    const result = await applyToUsers(
      [...users, admin].map(({ id }) => id),
      request
    )
    assert.deepEqual(result, { done: 4, refused: [] })
    const found = await findGroup(group.id)
    assert.equal(found?.memberCount, 4)
  })

  test('a full account is refused and the others go on', async ({ assert, cleanup }) => {
    const [[full, other], group, first] = [await someUsers(2), await newGroup(), await newGroup()]
    await addMember(full.id, first.id, SYSTEM)
    const { groupsOfUser } = limits
    cleanup(() => void Object.assign(limits, { groupsOfUser }))
    Object.assign(limits, { groupsOfUser: 1 })
    const options = { group: group.id }
    const request = { action: 'add-to-group' as const, options, actor: SYSTEM }
    const { done, refused } = await applyToUsers([full.id, other.id], request)
    assert.equal(done, 1)
    assert.deepEqual(
      refused.map(({ name, refusal }) => [name, refusal?.code]),
      [[full.email, 'E_GROUP_LIMIT']]
    )
  })

  test('a group that was deleted meanwhile is refused', async ({ assert }) => {
    const [[user], group] = [await someUsers(1), await newGroup()]
    await deleteGroup(group.id, SYSTEM)
    const options = { group: group.id }
    const request = { action: 'add-to-group' as const, options, actor: SYSTEM }
    const { refused } = await applyToUsers([user.id], request)
    assert.equal(refused[0].refusal?.code, 'E_NOT_FOUND')
  })
})
