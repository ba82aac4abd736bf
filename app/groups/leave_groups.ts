import { lockGroups } from './group_rows.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/** The foreign key would update counts in another order than changes do: two could deadlock. */
export async function leaveGroups({ id, groupIds }: User, trx: Transaction) {
  if (!groupIds) return
  await lockGroups(groupIds.split(' '), trx)
  await trx.from('group_members').where('user_id', id).delete()
}
