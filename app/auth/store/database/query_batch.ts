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
  const queries = new QueryQueue()
  return new DataLoader<Key, Row | undefined>((keys) => queries.run(() => load(keys)), {
    cache: false,
    maxBatchSize: LARGEST_BATCH,
    batchScheduleFn: (dispatch) => queries.schedule(dispatch),
  })
}

/** Lets a batch go at once, or when one of the running queries ends. */
class QueryQueue {
  readonly #waiting: (() => void)[] = []
  #running = 0

  schedule(dispatch: () => void) {
    if (this.#running < MOST_QUERIES) setImmediate(dispatch)
    else this.#waiting.push(dispatch)
  }

  async run<Result>(query: () => Promise<Result>) {
    this.#running++
    try {
      return await query()
    } finally {
      this.#running--
      const next = this.#waiting.shift()
      if (next) setImmediate(next)
    }
  }
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
