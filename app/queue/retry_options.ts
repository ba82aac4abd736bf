import { exponentialBackoff } from '@adonisjs/queue'

/** How often a job is tried again, and when: each delay is twice the one before. In milliseconds. */
export interface Retries {
  max: number
  firstDelayMs: number
  longestDelayMs: number
}

/** The options of a job that is tried again. */
export function retryOptions({ max, firstDelayMs, longestDelayMs }: Retries) {
  const delays = { baseDelay: firstDelayMs, maxDelay: longestDelayMs, multiplier: 2, jitter: false }
  return { maxRetries: max, retry: { maxRetries: max, backoff: exponentialBackoff(delays) } }
}
