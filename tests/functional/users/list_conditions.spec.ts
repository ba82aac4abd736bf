import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { conditionsOf } from '#users/list/conditions'
import { selectUsers, type UserFilter } from '#users/list/filter'
import { createUser } from '#tests/support/fixtures'
import { plansOf } from '#tests/support/plans'

/* A condition that is evaluated row by row has another form than a condition for an index. */

const STATES = [
  { role: 'Admin', mfa_enabled: true, provider: 'acme' },
  { role: 'User', mfa_enabled: false, provider: null, email_verified_at: null },
  { disabled_at: 5, last_login_at: Date.now() },
  { last_login_at: 5, created_at: 1 },
  { created_at: 4, last_login_at: null },
  { invited_at: 1, kind: 'service' },
]

const FILTERS: UserFilter[] = [
  { role: 'Admin' },
  { role: 'User' },
  { kind: 'service' },
  { status: 'active' },
  { status: 'disabled' },
  { mfa: 'yes' },
  { mfa: 'no' },
  { verified: false },
  { provider: 'acme' },
  { provider: 'password' },
  { inactiveSince: 5 },
  { inactiveSince: 6 },
  { lastLoginFrom: 6 },
]

const idsOf = (users: User[]) => users.map(({ id }) => id)

test.group('User lists | forms of a condition', () => {
  test('{$self} finds the same users along an order and by an index')
    .with(FILTERS.map((filter) => JSON.stringify(filter)))
    .run(async ({ assert }, given) => {
      const created: string[] = []
      for (const state of STATES) {
        const { id } = await createUser({ password: null })
        await User.query().where('id', id).update(state)
        created.push(id)
      }
      const [{ where, walk = where }] = conditionsOf(JSON.parse(given), Date.now())
      const [indexed, walked] = [where, walk].map((apply) => {
        const users = User.query().whereIn('id', created).orderBy('id')
        apply(users)
        return users
      })
      const [found, others] = [await indexed, await walked]
      assert.isNotEmpty(found)
      assert.sameMembers(idsOf(others), idsOf(found))
    })
})

test.group('User lists | inactive users', (group) => {
  group.each.skip(db.connection().dialect.name === 'postgres', 'Postgres gathers statistics')

  test('are found by two indexes', async ({ assert }) => {
    const [plan] = await plansOf('users', () => selectUsers({ inactiveSince: 5 }))
    assert.match(plan, /MULTI-INDEX OR/)
    assert.match(plan, /users_last_login \(<expr>>\? AND <expr><\?\)/)
    assert.match(plan, /users_never_signed_in \(created_at<\?\)/)
  })
})
