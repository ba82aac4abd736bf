import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { TEST_TYPE } from '#webhooks/types/public_types'
import type { DeliveryRow } from '#webhooks/deliveries/delivery'

/** A test may wait for its event to be sealed, and is also sent to a disabled webhook. */
const IS_DUE = `d.webhook_id = w.id AND d.next_attempt_at <= :now
  AND (w.disabled_at IS NULL OR d.type = '${TEST_TYPE}')
  AND (d.sequence IS NOT NULL OR EXISTS (
    SELECT 1 FROM audit_events e WHERE e.id = d.event_id AND e.sequence IS NOT NULL))`

export interface WaitingWebhook {
  id: string
  isDue: boolean
}

/** Returns all webhooks, and whether a delivery to each is due. */
export async function findWaiting(now: number): Promise<WaitingWebhook[]> {
  const rows = await selectRows<{ id: string; is_due: boolean | number }>(
    db.connection(),
    `SELECT w.id, EXISTS (SELECT 1 FROM webhook_deliveries d WHERE ${IS_DUE}) AS is_due
     FROM webhooks w`,
    { now }
  )
  return rows.map(({ id, is_due: isDue }) => ({ id, isDue: Boolean(isDue) }))
}

/** Returns the oldest first, and first tries of the same moment in the order of the trail. */
export function findDue(webhookId: string, limit: number, now: number): Promise<DeliveryRow[]> {
  return selectRows<DeliveryRow>(
    db.connection(),
    `SELECT d.* FROM webhooks w JOIN webhook_deliveries d ON ${IS_DUE}
     WHERE w.id = :webhookId ORDER BY d.next_attempt_at, d.sequence LIMIT :limit`,
    { webhookId, limit, now }
  )
}
