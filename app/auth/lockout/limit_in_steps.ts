import { LRUCache } from 'lru-cache'
import { assertNotExhausted, consumeMany, type RateLimit } from './rate_limit.ts'

/** The view of this process: what the store has counted, and what it has not. */
interface PartlyCounted {
  consumed: number
  uncounted: number
  until: number
}

const partlyCounted = new LRUCache<string, PartlyCounted>({ max: 20_000 })

/**
 * For limits on work, not on guesses. The store counts in steps of a thirtieth of the limit: most
 * calls write nothing, and each process may admit one step more. @throws E_TOO_MANY_REQUESTS
 */
export async function consumeInSteps(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  assertNotExhausted(key, limit)
  const step = Math.max(1, Math.floor(limit / 30))
  const known = partlyCounted.get(key)
  const isCurrent = known !== undefined && known.until > Date.now()
  const counted = isCurrent ? known : { consumed: 0, uncounted: 0, until: Date.now() + windowMs }
  counted.uncounted++
  partlyCounted.set(key, counted)
  if (counted.uncounted < step && counted.consumed + counted.uncounted <= limit) return
  const points = counted.uncounted
  counted.uncounted = 0
  counted.consumed = await consumeMany(key, { limit, windowMs }, points)
}
