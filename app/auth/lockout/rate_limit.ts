import { LRUCache } from 'lru-cache'
import limiter from '@adonisjs/limiter/services/main'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'

export interface RateLimit {
  /** 0 switches the limit off. */
  limit: number
  windowMs: number
}

// Exhausted keys stay in memory, so that a flood of refused requests writes nothing.
const exhausted = new LRUCache<string, number>({ max: 20_000 })

/** Counts before the evaluation, so parallel attempts all count. @throws E_TOO_MANY_REQUESTS */
export async function consume(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  assertNotExhausted(key, limit)
  await consumeMany(key, { limit, windowMs }, 1)
}

export async function consumeMany(key: string, { limit, windowMs }: RateLimit, points: number) {
  const counter = limiter.use({ requests: limit, duration: windowMs / 1_000 })
  const count = await counter.increment(key, points)
  if (count.consumed <= limit) return count.consumed
  exhausted.set(key, Date.now() + count.availableIn * 1_000)
  throw tooManyRequests(limit, count.availableIn)
}

export async function tryConsume(key: string, limit: RateLimit) {
  try {
    await consume(key, limit)
    return true
  } catch (error) {
    if (error instanceof E_TOO_MANY_REQUESTS) return false
    throw error
  }
}

/** For attempts that count only if they are wrong. @throws E_TOO_MANY_REQUESTS */
export async function getCountOrFail(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return 0
  assertNotExhausted(key, limit)
  const count = await limiter.use({ requests: limit, duration: windowMs / 1_000 }).get(key)
  if (count && count.consumed >= limit) throw tooManyRequests(limit, count.availableIn)
  return count?.consumed ?? 0
}

/**
 * For attempts that `release` returns. Does not count a refusal, because attempts may be returned.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function reserve(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  const counter = limiter.use({ requests: limit, duration: windowMs / 1_000 })
  const count = await counter.increment(key)
  if (count.consumed <= limit) return
  await counter.decrement(key)
  throw tooManyRequests(limit, count.availableIn)
}

export function assertNotExhausted(key: string, limit: number) {
  const secondsLeft = ((exhausted.get(key) ?? 0) - Date.now()) / 1_000
  if (secondsLeft > 0) throw tooManyRequests(limit, secondsLeft)
}

export async function release(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  exhausted.delete(key)
  await limiter.use({ requests: limit, duration: windowMs / 1_000 }).decrement(key)
}

export async function clear(key: string, { limit, windowMs }: RateLimit) {
  exhausted.delete(key)
  await limiter.use({ requests: limit, duration: windowMs / 1_000 }).delete(key)
}

export function tooManyRequests(limit: number, availableIn: number) {
  const refusal = new E_TOO_MANY_REQUESTS().retryAfter(availableIn)
  refusal.headers['ratelimit-limit'] = String(limit)
  refusal.headers['ratelimit-remaining'] = '0'
  refusal.headers['ratelimit-reset'] = refusal.headers['retry-after']
  return refusal
}
