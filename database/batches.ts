import { setTimeout as wait } from 'node:timers/promises'

// SQLite runs statements on the event loop, so a long statement, or a loop of short ones, stops all
// requests. Batches let other requests in between.

/** On SQLite, deleting or decrypting so many rows takes up to 10 ms. */
export const BATCH_SIZE = 200

/** A request takes several turns of the event loop: with `setImmediate` it would wait at each of them. */
export function letOthersIn() {
  return wait(1)
}

/**
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
