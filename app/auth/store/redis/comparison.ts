/*
 | After a connection is lost, another Redis may answer, with sessions that have ended. None counts
 | until the server was compared with the last one (`switched_store.ts`).
 */
let isCompared = true
let losses = 0

/** Read as an outage, which is answered with 503 (`exceptions/dependency_failures.ts`). */
export function comparisonRefusal() {
  return isCompared ? null : new Error('Connection is closed: Redis was not compared with the last')
}

export function noteLoss() {
  losses++
  isCompared = false
}

/** A loss meanwhile repeats the comparison. */
export async function untilCompared(compare: () => Promise<void>) {
  let before
  isCompared = false
  do {
    before = losses
    await compare()
  } while (before !== losses)
  isCompared = true
}
