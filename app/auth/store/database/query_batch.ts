import DataLoader from 'dataloader'

// Further look-ups wait for the next query: a busy server gets larger, cheaper batches.
const MOST_QUERIES = 2

/** Bounds a batch, so that no single query becomes slow. */
const LARGEST_BATCH = 500

/**
 * Without batches, a profile would cost 4.0 times as much (docs/performance.md).
 * A query that began before a look-up never answers it.
 */
export function batched<Key, Row>(load: (keys: readonly Key[]) => Promise<(Row | undefined)[]>) {
  const queries = new QueryQueue()
  return new DataLoader<Key, Row | undefined>((keys) => queries.run(() => load(keys)), {
    cache: false,
    maxBatchSize: LARGEST_BATCH,
    batchScheduleFn: (dispatch) => queries.schedule(dispatch),
  })
}

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

/** Returns undefined for each key that has no row. */
export function alignToKeys<Row extends Positioned>(rows: Row[], keys: number) {
  const aligned: (Row | undefined)[] = Array.from({ length: keys })
  for (const row of rows) aligned[row.position - 1] = row
  return aligned
}
