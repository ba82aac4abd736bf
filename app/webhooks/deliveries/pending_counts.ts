import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'

/** Deliveries beyond this number are not counted, so that a scrape stays short. */
const MAX_COUNTED = 2_000

export interface PendingDeliveries {
  /** Not tried yet. */
  pending: number
  /** Tried already, and waiting for another try. */
  delayed: number
  /** Milliseconds since the epoch; null while none is pending. */
  oldestAt: number | null
}

export async function countPendingDeliveries(): Promise<PendingDeliveries> {
  const [row] = await selectRows<Record<'pending' | 'delayed' | 'oldest', string | null>>(
    db.connection(),
    `SELECT SUM(CASE WHEN attempts = 0 THEN 1 ELSE 0 END) AS pending,
       SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS delayed,
       (${OLDEST}) AS oldest
     FROM (
       SELECT attempts FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
       LIMIT ${MAX_COUNTED}
     ) AS waiting`,
    []
  )
  const oldestAt = row.oldest === null ? null : Number(row.oldest)
  return { pending: Number(row.pending ?? 0), delayed: Number(row.delayed ?? 0), oldestAt }
}

/** Takes one index lookup for each webhook. */
const OLDEST = `SELECT MIN(heads.created_at) FROM (
  SELECT (
    SELECT d.created_at FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.status = 'pending' ORDER BY d.id LIMIT 1
  ) AS created_at FROM webhooks w
) AS heads`
