import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

export interface MemberRow {
  user_id: string
  group_id: string
  /** The provider that reported the membership; null for one that was added here. */
  source: string | null
  added_at: number
}

/** Leaves out deleted groups, whose rows are deleted in batches. */
export async function memberRowsOf(
  userId: string,
  client: QueryClientContract = db.connection()
): Promise<(MemberRow & { name: string })[]> {
  const rows = client.from('group_members').join('groups', 'groups.id', 'group_members.group_id')
  return rows.where('user_id', userId).select('group_members.*', 'groups.name')
}

/** Databases limit the number of values in one statement. */
const CHUNK_SIZE = 500

/** The caller has locked the groups and the users, as for `deleteMemberRows`. */
export async function insertMemberRows(rows: MemberRow[], trx: Transaction) {
  for (let at = 0; at < rows.length; at += CHUNK_SIZE) {
    const chunk = rows.slice(at, at + CHUNK_SIZE)
    await trx.knexQuery().insert(chunk).into('group_members').onConflict().ignore()
  }
  await writeGroupIds([...new Set(rows.map((row) => row.user_id))], trx)
}

export async function deleteMemberRows(
  { userIds, groupIds }: { userIds: string[]; groupIds: string[] },
  trx: Transaction
) {
  if (groupIds.length === 0) return
  const rows = trx.from('group_members').whereIn('user_id', userIds).whereIn('group_id', groupIds)
  await rows.delete()
  await writeGroupIds(userIds, trx)
}

const IDS = {
  postgres: `(SELECT string_agg(group_id::text, ' ') FROM group_members WHERE user_id = users.id)`,
  sqlite: `(SELECT group_concat(group_id, ' ') FROM group_members WHERE user_id = users.id)`,
}

/** The new version of each user informs every process (`users.version_id`). */
async function writeGroupIds(userIds: string[], trx: Transaction) {
  if (userIds.length === 0) return
  const ids = trx.dialect.name === 'postgres' ? IDS.postgres : IDS.sqlite
  await trx
    .from('users')
    .whereIn('id', userIds)
    .update({ group_ids: trx.raw(ids) })
}
