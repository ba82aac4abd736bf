import { replicaOrPrimary } from '#database/replica'
import { MAX_IDS } from './find_ids.ts'
import type { Search } from './search.ts'
import type { UserQuery } from './user_query.ts'

/** The index covers this expression. */
const SIGNED_IN = 'COALESCE(last_login_at, 0)'

/**
 * Few ids narrow the page. By the condition alone, Postgres would read a million users in the order of
 * their creation to find the last hundred.
 */
export async function findActiveSince(from: number | undefined): Promise<Search> {
  if (from === undefined) return () => {}
  const rows = await replicaOrPrimary()
    .from('users')
    .whereRaw(`${SIGNED_IN} >= ?`, [from])
    .orderByRaw(`${SIGNED_IN} desc`)
    .limit(MAX_IDS + 1)
    .select('id')
  const ids = rows.length > MAX_IDS ? null : rows.map((row) => row.id)
  return (query) => {
    if (ids) query.whereIn('id', ids)
    query.whereRaw(`${SIGNED_IN} >= ?`, [from])
  }
}

/** A user who never signed in is inactive since their creation. */
export function whereInactive(query: UserQuery, since: number) {
  query
    .whereRaw(`${SIGNED_IN} < ?`, [since])
    .where((old) => old.whereNotNull('last_login_at').orWhere('created_at', '<', since))
}
