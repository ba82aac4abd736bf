import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { setGroupsOf } from '#groups/members'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { createUser } from '#tests/support/fixtures'
import { statementsOf } from '#tests/support/statements'

const names = async () => {
  const groups = [1, 2, 3].map(() => createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM))
  const made = await Promise.all(groups)
  return made.map(({ name }) => name)
}

/** Sets the groups of a user as a sign-in by the provider does. */
const provide = (userId: string, groups: string[]) =>
  db.transaction(async (trx) => {
    await User.lockForUpdate(userId, trx)
    await setProvidedGroups({ userId, provider: 'acme', groups, actor: SYSTEM }, trx)
  })

test.group('Lost memberships | of one change', () => {
  test('{what} reads its applications once, and few columns')
    .with([
      { what: 'a set', set: (id: string, groups: string[]) => setGroupsOf(id, groups, SYSTEM) },
      { what: 'a sign-in by a provider', set: provide },
    ])
    .run(async ({ assert }, { set }) => {
      const { id } = await createUser({ password: null })
      await set(id, await names())
      const statements = await statementsOf(() => set(id, []))
      const reads = statements.filter((sql) => /from .oauth_clients/i.test(sql))
      assert.lengthOf(reads, 1)
      assert.notInclude(reads[0], '*')
      const events = await db
        .from('audit_events')
        .where({ target_id: id, action: 'group.member_removed' })
      assert.lengthOf(events, 3)
    })
})
