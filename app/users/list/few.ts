import db from '@adonisjs/lucid/services/db'
import { MAX_IDS } from './find_ids.ts'
import { queryUsers, type UserQuery } from './user_query.ts'
import type { UserOrder } from './order.ts'

export interface Condition {
  /** Applies the condition in a form that an index covers, if there is one. */
  where: (query: UserQuery) => unknown
  /**
   * Applies it in a form that no index covers: SQLite assumes that an equal value is rare and would
   * read and sort all users of a role instead of walking the order of the page.
   */
  walk?: (query: UserQuery) => unknown
  /** The orders that its index provides as well. */
  orders?: UserOrder[]
  /** Few users may meet the condition, and an index finds them. */
  isRare?: boolean
}

/** Takes the first rare condition that few users meet, because each one costs a statement. */
export async function findIdsOfFew(conditions: Condition[]) {
  for (const condition of conditions) {
    const ids = condition.isRare ? await findFew(condition) : null
    if (ids) return ids
  }
  return null
}

/**
 * Few ids narrow the page. With only the condition, a database would read a million users in the
 * order of the page to find the last hundred. The primary is read, because the selection may decide
 * something. @returns null if there are too many
 */
async function findFew({ where }: Condition) {
  const query = queryUsers(db.connection())
    .limit(MAX_IDS + 1)
    .select('id')
  where(query)
  const rows = await query.pojo<{ id: string }>()
  return rows.length > MAX_IDS ? null : rows.map(({ id }) => id)
}
