import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { letOthersIn } from '#database/batches'
import { record } from '#events/record'
import { detailsOf } from '../group.ts'
import { lockGroups } from '../group_rows.ts'
import { isNamedByApplication } from '../uses.ts'
import type { Transaction } from '#database/transaction'

const DAY_MS = 86_400_000

/**
 * Groups that sign-ins made and that have no member, no use and no text of an administrator. Names
 * that users give at a provider must not fill the limit of all groups.
 * @returns the number of deleted groups
 */
export async function deleteUnusedGroups(now = Date.now()) {
  let deleted = 0
  for (const id of await findUnused(now - DAY_MS)) {
    if (await db.transaction((trx) => deleteUnlessUsed(id, trx))) deleted++
    await letOthersIn()
  }
  return deleted
}

async function findUnused(before: number): Promise<string[]> {
  const rows = await db
    .from('groups')
    .where('name', 'like', '%:%')
    .where('member_count', 0)
    .whereNull('title')
    .whereNull('description')
    .where('created_at', '<', before)
    .select('id')
  return rows.map(({ id }) => id)
}

/** A sign-in that adds a member locks the group as well. */
async function deleteUnlessUsed(id: string, trx: Transaction) {
  const [group] = await lockGroups([id], trx)
  if (!group || group.memberCount > 0 || (await isNamedByApplication([group], trx))) return false
  await trx.from('groups').where('id', id).delete()
  const details = { ...detailsOf(group), members: 0 }
  await record(trx, { type: 'group.deleted', user: null, actor: SYSTEM, details })
  return true
}
