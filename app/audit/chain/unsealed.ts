import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { selectRows } from '#database/select_rows'

/*
 | Events without a link in the chain. Each waits a moment for its batch. One that waits longer
 | shows that no process seals, or was written without the product: until it is sealed, nothing
 | proves that others like it were not removed.
 */

/** What is read of them: forged ones may be many. */
const MOST_READ = 1_000

const MOST_NAMED = 100

/**
 * How long the oldest of them waits, in milliseconds; 0 if none waits. An event dated in the
 * future counts by its distance, because a clock that was ahead must not hide it.
 */
export async function findSealLag(client: QueryClientContract) {
  const [{ lag }] = await selectRows<{ lag: number | string | null }>(
    client,
    `SELECT MAX(ABS(occurred_at - :now)) AS lag FROM (
       SELECT occurred_at FROM audit_events WHERE sequence IS NULL ORDER BY id LIMIT :limit
     ) AS unsealed`,
    { now: Date.now(), limit: MOST_READ }
  )
  return Number(lag ?? 0)
}

export async function isSealOverdue(client: QueryClientContract) {
  return (await findSealLag(client)) > settings.sealOverdueMs
}

/** The ids of those that wait too long; at most 100. */
export async function findOverdue(client: QueryClientContract): Promise<string[]> {
  const [from, to] = [Date.now() - settings.sealOverdueMs, Date.now() + settings.sealOverdueMs]
  const rows = await client
    .from('audit_events')
    .whereNull('sequence')
    .where((late) => late.where('occurred_at', '<', from).orWhere('occurred_at', '>', to))
    .orderBy('id')
    .limit(MOST_NAMED)
    .select('id')
  return rows.map(({ id }) => id)
}
