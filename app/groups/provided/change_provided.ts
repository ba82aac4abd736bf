import { lockGroups } from '../group_rows.ts'
import { deleteMemberRows, insertMemberRows } from '../member_rows.ts'
import { recordMemberships } from '../record_members.ts'
import type { Group } from '../group.ts'
import type { SeenProvider } from './seen_providers.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

type Named = Pick<Group, 'id' | 'name'>

export interface Difference {
  add: Named[]
  remove: Named[]
}

/** Refuses no change, because the provider decides. The caller has locked the user. */
export async function changeProvided(
  { userId, provider, actor }: SeenProvider & { actor: Actor },
  { add, remove }: Difference,
  trx: Transaction
) {
  if (add.length + remove.length === 0) return
  const groups = await lockGroups(idsOf([...add, ...remove]), trx)
  const isThere = new Set(idsOf(groups))
  const added = add.filter(({ id }) => isThere.has(id))
  await deleteMemberRows({ userIds: [userId], groupIds: idsOf(remove) }, trx)
  await insertMemberRows(added.map(rowOf(userId, provider)), trx)
  const about = { user: { id: userId }, actor }
  await recordMemberships(about, { add: added, remove }, trx)
}

function idsOf(groups: Named[]) {
  return groups.map(({ id }) => id)
}

function rowOf(userId: string, source: string) {
  const addedAt = Date.now()
  return ({ id }: Named) => ({ user_id: userId, group_id: id, source, added_at: addedAt })
}
