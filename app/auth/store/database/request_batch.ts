import { performance } from 'node:perf_hooks'

/*
 | A request batch: the requests that the event loop read in one iteration. All of them had
 | arrived before the first one is served, so that what is read from the database after that
 | moment is current for each of them.
 */

let batch: number | null = null

const currentIteration = () => performance.nodeTiming.uvMetricsInfo.loopCount

function close() {
  batch = null
}

/** A request begins. Its batch ends before the event loop reads further requests. */
export function noteRequest() {
  const iteration = currentIteration()
  if (batch === iteration) return
  batch = iteration
  setImmediate(close)
}

/** The number of the batch that is being served; null outside of one. */
export function currentRequestBatch() {
  return batch === currentIteration() ? batch : null
}
