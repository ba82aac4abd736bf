import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findGroupByName } from '#groups/group_rows'
import { updateGroup } from '#groups/groups'
import { registerGroupUse } from '#groups/uses'
import { BATCH, deleteUnusedGroups } from '#groups/provided/delete_unused'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { createUser } from '#tests/support/fixtures'
import { statementsOf } from '#tests/support/statements'
import { recordsWhere } from '#tests/support/trail'

const DAY_MS = 86_400_000
const tomorrow = () => Date.now() + DAY_MS + 1

const named = new Set<string>()
registerGroupUse(async (groups) => groups.filter(({ name }) => named.has(name)))

/** Makes a provider group, which its user may have left. */
async function providedGroup({ isLeft = true } = {}) {
  const { id: userId } = await createUser({ password: null })
  const name = `staff ${randomUUID()}`
  const say = (groups: string[]) =>
    db.transaction(async (trx) => {
      await User.lockForUpdate(userId, trx)
      await setProvidedGroups({ userId, provider: 'acme', groups, actor: SYSTEM }, trx)
    })
  await say([name])
  if (isLeft) await say([])
  const find = () => findGroupByName(`acme:${name}`)
  return { say: () => say([name]), find, group: (await find())! }
}

test.group('External login | unused groups', () => {
  test('a group without members goes, with an event', async ({ assert }) => {
    const { find, group } = await providedGroup()
    await deleteUnusedGroups(tomorrow())
    assert.isNull(await find())
    const events = await recordsWhere({ action: 'group.deleted' })
    assert.containsSubset(events, [{ details: { groupId: group.id } }])
  })

  test('a sign-in brings it back', async ({ assert }) => {
    const { find, say } = await providedGroup()
    await deleteUnusedGroups(tomorrow())
    await say()
    assert.equal((await find())!.memberCount, 1)
  })

  test('a group of today stays', async ({ assert }) => {
    const { find } = await providedGroup()
    await deleteUnusedGroups()
    assert.isNotNull(await find())
  })

  test('a group with a member stays', async ({ assert }) => {
    const { find } = await providedGroup({ isLeft: false })
    await deleteUnusedGroups(tomorrow())
    assert.isNotNull(await find())
  })

  test('a group with a title stays', async ({ assert }) => {
    const { find, group } = await providedGroup()
    await updateGroup(group.id, { title: 'Staff' }, SYSTEM)
    await deleteUnusedGroups(tomorrow())
    assert.isNotNull(await find())
  })

  test('a group that an application names stays', async ({ assert, cleanup }) => {
    const { find, group } = await providedGroup()
    named.add(group.name)
    cleanup(() => named.clear())
    await deleteUnusedGroups(tomorrow())
    assert.isNotNull(await find())
  })

  test('of many, the clients are read once', async ({ assert }) => {
    await deleteUnusedGroups(tomorrow())
    for (let count = 0; count < 3; count++) await providedGroup()
    const statements = await statementsOf(() => deleteUnusedGroups(tomorrow()))
    const firstPages = statements.filter((sql) => /claims LIKE (?!.*\bid\W* >)/.test(sql))
    assert.lengthOf(firstPages, 1)
  })

  test('no client is read within a transaction', async ({ assert }) => {
    await deleteUnusedGroups(tomorrow())
    for (let count = 0; count <= BATCH; count++) await providedGroup()
    const statements = await statementsOf(() => deleteUnusedGroups(tomorrow()))
    const steps = statements.filter((sql) => /^(begin|commit)|from .oauth_clients/i.test(sql))
    const kinds = steps.map((sql) => /^(?:begin|commit)|from/i.exec(sql)![0].toLowerCase())
    assert.lengthOf(
      kinds.filter((kind) => kind === 'begin'),
      2
    )
    assert.notInclude(kinds.join(' '), 'begin from')
    assert.include(kinds, 'from')
  })
})
