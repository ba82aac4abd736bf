import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { whereContains } from '#database/contains'
import { groupKey } from './group_name.ts'
import { toGroup, type GroupRow } from './group.ts'

/* Pages in the order of names. Each page is as quick as the first. */

export interface GroupPage {
  search?: string | null
  /** The `next` of the previous page. */
  cursor?: string | null
  limit: number
}

export async function listGroups({ search, cursor, limit }: GroupPage) {
  const query = matching(search)
    .orderBy('name_key')
    .limit(limit + 1)
  const after = cursor ? parseGroupCursor(cursor) : null
  if (after !== null) query.where('name_key', '>', after)
  const found: GroupRow[] = await query
  const rows = found.slice(0, limit)
  return {
    groups: rows.map(toGroup),
    next: found.length > limit ? formatCursor(rows.at(-1)!) : null,
  }
}

export async function countGroups(search?: string | null) {
  const [{ total }] = await matching(search).count('* as total')
  return Number(total)
}

/** Selects groups by a part of the name or of the title. */
function matching(search?: string | null) {
  const query = db.from('groups')
  if (!search) return query
  return whereContains(query, { name_key: groupKey(search), name: search, title: search })
}

function formatCursor({ name_key: key }: GroupRow) {
  return Buffer.from(JSON.stringify([key])).toString('base64url')
}

/** One capital letter may become several characters in lower case. */
const LONGEST_KEY = 3 * limits.groupName

/** Postgres fails on a text with a NUL character. @returns null for a text that is no cursor */
export function parseGroupCursor(cursor: string): string | null {
  try {
    const [key] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return typeof key === 'string' && key.length <= LONGEST_KEY && !key.includes('\0') ? key : null
  } catch {
    return null
  }
}
