import { performance } from 'node:perf_hooks'

/*
 | Which requests the event loop read in one go. All of them had arrived when the first of
 | them is looked at, so what is asked from then on is news enough for every one of them.
 */

let loop = -1

const currentLoop = () => performance.nodeTiming.uvMetricsInfo.loopCount

const close = () => {
  loop = -1
}

/** A request begins. The batch it belongs to ends before the event loop reads further ones. */
export function noteRequest() {
  if (loop === currentLoop()) return
  loop = currentLoop()
  setImmediate(close)
}

/** Names the batch that is being read; null outside of one. */
export function currentRequestBatch() {
  return loop === currentLoop() ? loop : null
}
