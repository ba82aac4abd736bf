import { NIL } from 'uuid'
import { test } from '@japa/runner'
import { selectForBulk } from '#users/bulk_selection'
import { createUser } from '#tests/support/fixtures'

async function createTagged(count: number) {
  const tag = `Chosen${Date.now().toString(36)}`
  const users = []
  for (let index = 0; index < count; index++) {
    users.push(await createUser({ username: tag, password: null }))
  }
  return { tag, ids: users.map(({ id }) => id).sort() }
}

const NOBODY = { besides: NIL }

test.group('Selection of all that match', () => {
  test('has the users who pass the filter, less who acts', async ({ assert }) => {
    const { tag, ids } = await createTagged(3)
    const all = await selectForBulk({ search: tag }, NOBODY)
    assert.deepEqual(all.ids, ids)
    const rest = await selectForBulk({ search: tag }, { besides: ids[2], after: ids[0] })
    assert.deepEqual(rest.ids, [ids[1]])
    const admins = await selectForBulk({ search: tag, role: 'Admin' }, NOBODY)
    assert.deepEqual(admins.ids, [])
  })

  test('has another fingerprint once somebody joins', async ({ assert }) => {
    const { tag } = await createTagged(2)
    const before = await selectForBulk({ search: tag }, NOBODY)
    const again = await selectForBulk({ search: tag }, NOBODY)
    await createUser({ username: tag, password: null })
    const after = await selectForBulk({ search: tag }, NOBODY)
    assert.equal(again.fingerprint, before.fingerprint)
    assert.notEqual(after.fingerprint, before.fingerprint)
  })
})
