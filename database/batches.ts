import { setTimeout as wait } from 'node:timers/promises'

// SQLite runs statements on the event loop, so a long statement, or a loop of short ones, stops all
// requests. Other requests run between two batches.

/** On SQLite, deleting or decrypting this many rows takes up to 10 ms. */
export const BATCH_SIZE = 200

/** With `setImmediate`, a request would wait for a batch at each of its turns of the event loop. */
export function yieldToEventLoop() {
  return wait(1)
}

/**
 * @param batch processes at most `size` rows and returns how many it found
 * @returns the total number of rows
 */
export async function inBatches(batch: (size: number) => Promise<number>, size = BATCH_SIZE) {
  let total = 0
  for (;;) {
    const found = await batch(size)
    total += found
    if (found < size) return total
    await yieldToEventLoop()
  }
}
