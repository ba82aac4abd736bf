import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { BATCH_SIZE, inBatches } from '#database/batches'
import { deleteMemberRows } from './member_rows.ts'
import type { Transaction } from '#database/transaction'

/* The id of a deleted group has no effect, so the rows of its members can be deleted later. */

/** Members per batch. Each user gets a new version, so a batch takes up to 20 ms on SQLite. */
const MEMBERS = 50

/** Waits for a small group. A larger one is finished in the background, or by the next pruning. */
export async function finishDeletion({ id, memberCount }: { id: string; memberCount: number }) {
  const finished = finish(id).catch((error) =>
    logger.warn({ err: error, groupId: id }, 'the deletion of a group is unfinished')
  )
  if (memberCount <= BATCH_SIZE) await finished
}

/** @returns the number of removed memberships */
export async function finishDeletions() {
  let removed = 0
  for (const { group_id: id } of await db.from('group_deletions').select('group_id'))
    removed += await finish(id)
  return removed
}

async function finish(groupId: string) {
  const batch = (size: number) => db.transaction((trx) => forget(groupId, size, trx))
  const removed = await inBatches(batch, MEMBERS)
  await db.from('group_deletions').where('group_id', groupId).delete()
  return removed
}

async function forget(groupId: string, size: number, trx: Transaction) {
  const members = trx.from('group_members').where('group_id', groupId)
  const rows = await members.orderBy('user_id').limit(size).select('user_id')
  const userIds = rows.map((row) => row.user_id)
  await trx.from('users').whereIn('id', userIds).orderBy('id').forUpdate().select('id')
  await deleteMemberRows({ userIds, groupIds: [groupId] }, trx)
  return userIds.length
}
