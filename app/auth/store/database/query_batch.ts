import DataLoader from 'dataloader'

/**
 * Batches on their way at once. While they are, further look-ups gather for the next one:
 * the busier the server, the larger the batches, and the cheaper each look-up.
 */
const IN_FLIGHT = 2

/** A batch is bounded, so that no single query becomes slow. */
const LARGEST = 500

/**
 * Collects look-ups into one query. All requests that the event loop reads in one go take
 * part in one, and none is answered from a query that began before it.
 */
export function batched<Key, Row>(load: (keys: readonly Key[]) => Promise<(Row | undefined)[]>) {
  const waiting: (() => void)[] = []
  let inFlight = 0

  async function send(keys: readonly Key[]) {
    inFlight++
    try {
      return await load(keys)
    } finally {
      inFlight--
      const next = waiting.shift()
      if (next) setImmediate(next)
    }
  }

  function schedule(dispatch: () => void) {
    if (inFlight < IN_FLIGHT) setImmediate(dispatch)
    else waiting.push(dispatch)
  }

  return new DataLoader<Key, Row | undefined>(send, {
    cache: false,
    maxBatchSize: LARGEST,
    batchScheduleFn: schedule,
  })
}

/** Rows in the order of the keys, of a query that numbers its keys from 1 as `position`. */
export function alignToKeys<Row extends { position: number | string }>(rows: Row[], keys: number) {
  const aligned: (Row | undefined)[] = Array.from({ length: keys })
  for (const row of rows) aligned[Number(row.position) - 1] = row
  return aligned
}
