import { setTimeout as wait } from 'node:timers/promises'

/*
 | Work on many rows. SQLite runs its statements on the event loop, so that a long statement,
 | or a loop of short ones, stops every request of the process. Such work is done in batches,
 | and other requests are answered between two of them.
 */

/** Rows of a batch: on SQLite, deleting or decrypting so many takes up to 10 ms. */
export const BATCH_SIZE = 200

/**
 * Ends a batch. A request takes several turns of the event loop: with `setImmediate` it would
 * wait for one batch at each of them, and a millisecond is enough for most of the turns.
 */
export function letOthersIn() {
  return wait(1)
}

/**
 * Repeats a batch until it finds fewer rows than it may take.
 *
 * @param batch takes so many rows at most, and returns how many it found
 * @returns the number of all rows
 */
export async function inBatches(batch: (size: number) => Promise<number>, size = BATCH_SIZE) {
  let total = 0
  for (;;) {
    const found = await batch(size)
    total += found
    if (found < size) return total
    await letOthersIn()
  }
}
