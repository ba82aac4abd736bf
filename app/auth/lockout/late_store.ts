import { setTimeout as sleep } from 'node:timers/promises'
import limits from '#config/limits'

/** When a store that did not answer is asked again, in milliseconds. */
const DELAYS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]

let waiting = 0

/**
 * Takes back what a store that is late has counted, or may count yet. What cannot be taken back
 * ends with its window, so that it refuses nothing for longer.
 *
 * @param takeBack false while there is nothing to take back
 */
export async function retryLater(takeBack: () => Promise<boolean>) {
  if (waiting >= limits.lateReturns) return
  waiting += 1
  for (const delay of DELAYS) {
    await sleep(delay, undefined, { ref: false })
    if (await takeBack().catch(() => false)) break
  }
  waiting -= 1
}
