import { LRUCache } from 'lru-cache'
import limiter from '@adonisjs/limiter/services/main'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'

export interface RateLimit {
  /** Attempts allowed in a window; 0 switches the limit off. */
  limit: number
  windowMs: number
}

/**
 * When the window of an exhausted key ends. A flood of requests that are refused anyway
 * writes nothing to the store; the size bounds the memory that it can take.
 */
const exhausted = new LRUCache<string, number>({ max: 20_000 })

/**
 * Counts an attempt of a key, before it is evaluated, so that parallel attempts count.
 *
 * @throws E_TOO_MANY_REQUESTS beyond the limit
 */
export async function consume(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  assertNotExhausted(key, limit)
  const counter = limiter.use({ requests: limit, duration: windowMs / 1_000 })
  const count = await counter.increment(key)
  if (count.consumed <= limit) return
  exhausted.set(key, Date.now() + count.availableIn * 1_000)
  throw tooManyRequests(limit, count.availableIn)
}

/** Counts an attempt like `consume`, for callers who do not answer with its refusal. */
export async function isWithin(key: string, limit: RateLimit) {
  try {
    await consume(key, limit)
    return true
  } catch (error) {
    if (error instanceof E_TOO_MANY_REQUESTS) return false
    throw error
  }
}

/**
 * Counts nothing: for attempts of which only the wrong ones count.
 *
 * @throws E_TOO_MANY_REQUESTS where the limit is used up
 */
export async function assertWithin(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  assertNotExhausted(key, limit)
  const count = await limiter.use({ requests: limit, duration: windowMs / 1_000 }).get(key)
  if (count && count.consumed >= limit) throw tooManyRequests(limit, count.availableIn)
}

function assertNotExhausted(key: string, limit: number) {
  const secondsLeft = ((exhausted.get(key) ?? 0) - Date.now()) / 1_000
  if (secondsLeft > 0) throw tooManyRequests(limit, secondsLeft)
}

/** Takes back an attempt that was counted and not evaluated. */
export async function uncount(key: string, { limit, windowMs }: RateLimit) {
  if (limit === 0) return
  exhausted.delete(key)
  await limiter.use({ requests: limit, duration: windowMs / 1_000 }).decrement(key)
}

/** Forgets the attempts of a key. */
export async function clear(key: string, { limit, windowMs }: RateLimit) {
  exhausted.delete(key)
  await limiter.use({ requests: limit, duration: windowMs / 1_000 }).delete(key)
}

/** 429 with the headers that tell a client when another request makes sense. */
export function tooManyRequests(limit: number, availableIn: number) {
  const refusal = new E_TOO_MANY_REQUESTS().retryAfter(availableIn)
  refusal.headers['ratelimit-limit'] = String(limit)
  refusal.headers['ratelimit-remaining'] = '0'
  refusal.headers['ratelimit-reset'] = refusal.headers['retry-after']
  return refusal
}
