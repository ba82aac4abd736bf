import { LRUCache } from 'lru-cache'

/** Up to this limit counts are exact; a larger count may be a minute old. */
const EXACT_LIMIT = 1_000
const CACHE_MS = 60_000

const cachedCounts = new LRUCache<string, number>({ max: 1_000, ttl: CACHE_MS })

/** Caches large counts: counting a million matches takes longer than reading ten of them. */
export async function countMany(key: string, count: (limit?: number) => Promise<number>) {
  const cached = cachedCounts.get(key)
  if (cached !== undefined) return cached
  const few = await count(EXACT_LIMIT + 1)
  if (few <= EXACT_LIMIT) return few
  const many = await count()
  cachedCounts.set(key, many)
  return many
}
