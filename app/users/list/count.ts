import { LRUCache } from 'lru-cache'
import { replicaOrPrimary } from '#database/replica'

/*
 | How many users there are. Triggers count them by role (migration 0011), so that the
 | number of all costs a few rows and not a walk past everybody.
 */

/** How many users there are, of a role or of all. */
export async function countByRole(role?: string) {
  const query = replicaOrPrimary().from('user_counts').sum('total as total')
  if (role) query.where('role', role)
  const [row] = await query
  return Number(row.total ?? 0)
}

/** Up to here a number is counted anew each time; a larger one may be a minute old. */
const EXACT = 1_000
const REMEMBERED_MS = 60_000

const remembered = new LRUCache<string, number>({ max: 1_000, ttl: REMEMBERED_MS })

/**
 * Counts what may be many: beyond a thousand the number is remembered for a minute under
 * its filter, because counting a million matches takes longer than finding ten of them.
 *
 * @param countTo counts, and stops at a limit where one is given
 */
export async function countMany(key: string, countTo: (limit?: number) => Promise<number>) {
  const known = remembered.get(key)
  if (known !== undefined) return known
  const few = await countTo(EXACT + 1)
  if (few <= EXACT) return few
  const many = await countTo()
  remembered.set(key, many)
  return many
}
