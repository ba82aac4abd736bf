import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { findUsesOfGroup } from '#configuration/managed_uses'
import { plansOf } from '#tests/support/plans'

/* A group may have a million members, which a change of its name must not read. */

test.group('Groups | what a change of the name reads', (group) => {
  group.each.skip(db.connection().dialect.name === 'postgres', 'Postgres gathers statistics')

  test('memberships of the accounts of files alone', async ({ assert }) => {
    const find = () => db.transaction((trx) => findUsesOfGroup(randomUUID(), trx))
    const plans = await plansOf('group_members', find)
    assert.lengthOf(plans, 1)
    assert.match(plans[0], /SEARCH group_members .*user_id=\? AND group_id=\?/)
  })
})
