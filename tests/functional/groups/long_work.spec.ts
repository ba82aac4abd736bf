import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { BATCH_SIZE } from '#database/batches'
import { finishDeletions } from '#groups/finish_deletions'
import { createGroup } from '#groups/groups'
import { findGroup } from '#groups/group_rows'
import { turnsDuring } from '#tests/support/event_loop'
import { insertMemberRows } from '#groups/member_rows'

const BATCHES = 4

/** Makes `count` users, which are deleted with the test. */
async function someUsers(count: number) {
  const now = Date.now()
  const rows = Array.from({ length: count }, () => {
    const id = uuidv7()
    const times = { created_at: now, updated_at: now, password_changed_at: now }
    return { id, email: `${id}@example.org`, username: 'Member', role: 'User', ...times }
  })
  for (let at = 0; at < rows.length; at += 50)
    await db.table('users').multiInsert(rows.slice(at, at + 50))
  return rows.map(({ id }) => id)
}

async function largeGroup() {
  const { id } = await createGroup({ name: `Large ${randomUUID()}` }, SYSTEM)
  const userIds = await someUsers(BATCHES * BATCH_SIZE)
  for (let at = 0; at < userIds.length; at += BATCH_SIZE) {
    const rows = userIds
      .slice(at, at + BATCH_SIZE)
      .map((userId) => ({ user_id: userId, group_id: id, source: null, added_at: Date.now() }))
    await db.transaction((trx) => insertMemberRows(rows, trx))
  }
  return { id, userIds }
}

const SLICE = 100

/** Works in slices, because databases limit the number of values in a statement. */
async function inSlices(ids: string[], work: (slice: string[]) => Promise<unknown>) {
  for (let at = 0; at < ids.length; at += SLICE) await work(ids.slice(at, at + SLICE))
}

test.group('Groups | long work', () => {
  test('the deletion of a large group lets others in', async ({ assert, cleanup }) => {
    const { id, userIds } = await largeGroup()
    cleanup(() => inSlices(userIds, (slice) => db.from('users').whereIn('id', slice).delete()))
    const group = await findGroup(id)
    assert.equal(group?.memberCount, userIds.length)
    // The state that a process leaves if it is killed after the commit.
    await db.from('groups').where('id', id).delete()
    await db.table('group_deletions').insert({ group_id: id, requested_at: Date.now() })
    assert.isAtLeast(await turnsDuring(() => finishDeletions()), BATCHES)
    const members = await db.from('group_members').where('group_id', id)
    const named = await db.from('users').where('id', userIds[0]).whereNotNull('group_ids')
    assert.deepEqual([members, named], [[], []])
  })
})
