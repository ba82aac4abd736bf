import { replicaOrPrimary } from '#database/replica'
import { unknownGroup } from '#groups/errors'
import { findGroupByName } from '#groups/group_rows'
import { MAX_IDS } from './find_ids.ts'
import type { UserQuery } from './user_query.ts'

const IS_MEMBER = `EXISTS (SELECT 1 FROM group_members
  WHERE group_members.user_id = users.id AND group_members.group_id = ?)`

/** @throws E_VALIDATION_ERROR for an unknown group */
export async function findMembership(name: string | undefined) {
  if (name === undefined) return () => {}
  const { id, memberCount } = await getGroupOrFail(name)
  if (memberCount > MAX_IDS) return (query: UserQuery) => void query.whereRaw(IS_MEMBER, [id])
  const rows = await replicaOrPrimary()
    .from('group_members')
    .where('group_id', id)
    .select('user_id')
  const ids = rows.map((row) => row.user_id)
  return (query: UserQuery) => void query.whereIn('id', ids)
}

export async function countMembers(name: string) {
  const { memberCount } = await getGroupOrFail(name)
  return memberCount
}

async function getGroupOrFail(name: string) {
  const group = await findGroupByName(name)
  if (!group) throw unknownGroup('group')
  return group
}
