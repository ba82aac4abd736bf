import db from '@adonisjs/lucid/services/db'
import { MAX_IDS } from './find_ids.ts'
import { queryUsers, type UserQuery } from './user_query.ts'
import type { UserOrder } from './order.ts'

export interface Condition {
  /** In a form that an index covers, if there is one. */
  where: (query: UserQuery) => unknown
  /**
   * In a form that no index covers: SQLite takes an equal value for rare, and would read and sort
   * all users of a role instead of walking the order of the page.
   */
  walk?: (query: UserQuery) => unknown
  /** Its index has these orders, too. */
  orders?: UserOrder[]
  /** Few users may meet it, and an index finds who does. */
  isRare?: boolean
}

/** Of the first rare condition that few users meet: the others cost a statement each. */
export async function findIdsOfFew(conditions: Condition[]) {
  for (const condition of conditions) {
    const ids = condition.isRare ? await findFew(condition) : null
    if (ids) return ids
  }
  return null
}

/**
 * Few ids narrow the page. By the condition alone, a database would read a million users in the order
 * of the page to find the last hundred. They come from the primary, because what is selected may
 * decide something. @returns null where there are too many
 */
async function findFew({ where }: Condition) {
  const query = queryUsers(db.connection())
    .limit(MAX_IDS + 1)
    .select('id')
  where(query)
  const rows = await query.pojo<{ id: string }>()
  return rows.length > MAX_IDS ? null : rows.map(({ id }) => id)
}
