import { setTimeout as wait } from 'node:timers/promises'

/**
 * Milliseconds that a busy machine may add to a wait that the product bounds. A promise such as
 * “an answer within a second” is tested with this addition. A real fault, such as a missing
 * time-out, takes far longer.
 */
export const SCHEDULING_MS = 1_500

/** Looks again and again until the result is truthy, and resolves with it. */
export async function until<T>(look: () => T | Promise<T>, deadlineMs = 30_000) {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error('It did not come to pass in time')
    await wait(25)
  }
}
