import { setTimeout as sleep } from 'node:timers/promises'
import limits from '#config/limits'

const DELAYS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]

let waiting = 0

export function countLateReturns() {
  return waiting
}

/** Takes back what a late store may have counted. `takeBack` returns false if it found nothing. */
export async function retryLater(takeBack: () => Promise<boolean>) {
  if (waiting >= limits.lateReturns) return
  waiting += 1
  for (const delay of DELAYS) {
    await sleep(delay, undefined, { ref: false })
    if (await takeBack().catch(() => false)) break
  }
  waiting -= 1
}
