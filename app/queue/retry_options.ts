import { exponentialBackoff } from '@adonisjs/queue'

/** Each delay is twice the previous one. */
export interface Retries {
  max: number
  firstDelayMs: number
  longestDelayMs: number
}

export function retryOptions({ max, firstDelayMs, longestDelayMs }: Retries) {
  const delays = { baseDelay: firstDelayMs, maxDelay: longestDelayMs, multiplier: 2, jitter: false }
  return { maxRetries: max, retry: { maxRetries: max, backoff: exponentialBackoff(delays) } }
}
