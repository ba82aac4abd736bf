import { setTimeout as wait } from 'node:timers/promises'

/**
 * What a machine whose processors are taken may add to a wait that the product bounds, in
 * milliseconds. A promise such as “an answer within a second” is tested with it on top:
 * what breaks the promise by its own fault, a time-out that is missing, takes far longer.
 */
export const SCHEDULING_MS = 1_500

/** Looks again and again until something is so, and resolves with what it saw. */
export async function until<T>(look: () => T | Promise<T>, deadlineMs = 30_000) {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error('It did not come to pass in time')
    await wait(25)
  }
}
