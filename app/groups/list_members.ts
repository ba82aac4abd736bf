import db from '@adonisjs/lucid/services/db'
import { isPlaceholder } from '#models/email'

export interface GroupMember {
  id: string
  username: string
  nickname: string | null
  /** Null for a service account. */
  email: string | null
  /** ISO 8601. */
  addedAt: string
}

interface MemberPage {
  /** The `next` of the previous page. */
  cursor?: string | null
  limit: number
}

/** Sorts by user id, thus by time of creation, because the index of members has this order. */
export async function listMembers(groupId: string, { cursor, limit }: MemberPage) {
  const query = db
    .from('group_members')
    .join('users', 'users.id', 'group_members.user_id')
    .where('group_id', groupId)
    .orderBy('group_members.user_id')
    .limit(limit + 1)
    .select('users.id', 'username', 'nickname', 'email', 'added_at')
  if (cursor) query.where('group_members.user_id', '>', cursor)
  const found: Row[] = await query
  const rows = found.slice(0, limit)
  return { members: rows.map(toMember), next: found.length > limit ? rows.at(-1)!.id : null }
}

interface Row {
  id: string
  username: string
  nickname: string | null
  email: string
  added_at: number
}

function toMember({ id, username, nickname, email, added_at: addedAt }: Row): GroupMember {
  return {
    id,
    username,
    nickname,
    email: isPlaceholder(email) ? null : email,
    addedAt: new Date(Number(addedAt)).toISOString(),
  }
}
