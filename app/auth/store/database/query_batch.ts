import DataLoader from 'dataloader'

/**
 * How many queries run at once. Meanwhile further look-ups wait for the next one: the busier
 * the server, the larger the batches, and the cheaper each look-up.
 */
const MOST_QUERIES = 2

/** Bounds a batch, so that no single query becomes slow. */
const LARGEST_BATCH = 500

/**
 * Collects look-ups into one query; with a query for each, a profile costs 4.0 times as much
 * (docs/performance.md, “Each trick taken out”). All requests that the event loop read in one iteration
 * share a query, and no look-up is answered by a query that began before it.
 */
export function batched<Key, Row>(load: (keys: readonly Key[]) => Promise<(Row | undefined)[]>) {
  const waiting: (() => void)[] = []
  let running = 0

  async function send(keys: readonly Key[]) {
    running++
    try {
      return await load(keys)
    } finally {
      running--
      const next = waiting.shift()
      if (next) setImmediate(next)
    }
  }

  function schedule(dispatch: () => void) {
    if (running < MOST_QUERIES) setImmediate(dispatch)
    else waiting.push(dispatch)
  }

  return new DataLoader<Key, Row | undefined>(send, {
    cache: false,
    maxBatchSize: LARGEST_BATCH,
    batchScheduleFn: schedule,
  })
}

/** A row of a query that numbers its keys from 1. */
export interface Positioned {
  position: number
}

/** Rows in the order of the keys, with undefined for each key without a row. */
export function alignToKeys<Row extends Positioned>(rows: Row[], keys: number) {
  const aligned: (Row | undefined)[] = Array.from({ length: keys })
  for (const row of rows) aligned[row.position - 1] = row
  return aligned
}
