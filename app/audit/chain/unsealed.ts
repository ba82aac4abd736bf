import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { selectRows } from '#database/select_rows'

/*
 | An event that waits too long shows that no process seals, or that an attacker wrote it. The
 | removal of unsealed events cannot be detected.
 */

/** There may be many forged events. */
const MOST_READ = 1_000

const MOST_NAMED = 100

/** `lagMs` is 0 if none waits. A date in the future counts, so that a fast clock hides no event. */
export async function findUnsealed(client: QueryClientContract) {
  const [{ events, lag }] = await selectRows<Record<'events' | 'lag', number | string | null>>(
    client,
    `SELECT COUNT(*) AS events, MAX(ABS(occurred_at - :now)) AS lag FROM (
       SELECT occurred_at FROM audit_events WHERE sequence IS NULL ORDER BY id LIMIT :limit
     ) AS unsealed`,
    { now: Date.now(), limit: MOST_READ }
  )
  return { events: Number(events), lagMs: Number(lag ?? 0) }
}

export async function findSealLag(client: QueryClientContract) {
  const { lagMs } = await findUnsealed(client)
  return lagMs
}

export async function isSealOverdue(client: QueryClientContract) {
  return (await findSealLag(client)) > settings.sealOverdueMs
}

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
