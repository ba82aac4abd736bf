import { replicaOrPrimary } from '#database/replica'
import type { UserQuery } from './user_query.ts'

const MAX_IDS = 1_000

/** The index covers this expression. */
const SIGNED_IN = 'COALESCE(last_login_at, 0)'

/**
 * Few ids narrow the page. By the condition alone, Postgres would read a million users in the order of
 * their creation to find the last hundred.
 */
export async function findActiveSince(from: number | undefined) {
  if (from === undefined) return () => {}
  const rows = await replicaOrPrimary()
    .from('users')
    .whereRaw(`${SIGNED_IN} >= ?`, [from])
    .orderByRaw(`${SIGNED_IN} desc`)
    .limit(MAX_IDS + 1)
    .select('id')
  const ids = rows.length > MAX_IDS ? null : rows.map((row) => row.id)
  return (query: UserQuery) => {
    if (ids) query.whereIn('id', ids)
    query.whereRaw(`${SIGNED_IN} >= ?`, [from])
  }
}
