import db from '@adonisjs/lucid/services/db'
import { MAX_IDS } from './find_ids.ts'
import { queryUsers, type UserQuery } from './user_query.ts'

export type Condition = (query: UserQuery) => unknown

/**
 * Few ids narrow the page. By the condition alone, a database would read a million users in the order
 * of the page to find the last hundred. The ids come from the primary, because what is selected may
 * decide something.
 * @param condition is covered by an index
 */
export async function narrowed(condition: Condition): Promise<Condition> {
  const query = queryUsers(db.connection())
    .limit(MAX_IDS + 1)
    .select('id')
  condition(query)
  const rows = await query.pojo<{ id: string }>()
  if (rows.length > MAX_IDS) return condition
  const ids = rows.map(({ id }) => id)
  return (page) => {
    page.whereIn('id', ids)
    condition(page)
  }
}
