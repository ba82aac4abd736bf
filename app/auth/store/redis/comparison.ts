/*
 | After a connection is lost, another Redis may answer, with sessions that have ended. No session
 | counts until the server has been compared with the last one (`switched_store.ts`).
 */
let isCompared = true
let losses = 0

/** The error is read as an outage, and answered with 503 (`exceptions/dependency_failures.ts`). */
export function comparisonRefusal() {
  return isCompared ? null : new Error('Connection is closed: Redis was not compared with the last')
}

export function noteLoss() {
  losses++
  isCompared = false
}

/** If a connection was lost during the comparison, the comparison is repeated. */
export async function untilCompared(compare: () => Promise<void>) {
  let before
  isCompared = false
  do {
    before = losses
    await compare()
  } while (before !== losses)
  isCompared = true
}
