import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'
import { TEST_TYPE } from '#webhooks/types/public_types'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'
import type { DeliveryRow } from './delivery.ts'

/* This folder and the dispatcher own `webhook_deliveries`. */

type NewDelivery = Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'sequence' | 'type'>

/** An event that is replayed is pending again, under an id that puts it at the top of the list. */
export async function insertDeliveries(deliveries: NewDelivery[], now: number, trx: Transaction) {
  if (deliveries.length === 0) return
  const rows: DeliveryRow[] = deliveries.map((delivery) => ({
    id: uuidv7(),
    ...delivery,
    ...AT_FIRST,
    next_attempt_at: now,
    created_at: now,
  }))
  await trx
    .knexQuery()
    .insert(rows)
    .into('webhook_deliveries')
    .onConflict(['webhook_id', 'event_id'])
    .merge(['id', ...(Object.keys(AT_FIRST) as (keyof typeof AT_FIRST)[]), ...TIMES])
    .whereNot('webhook_deliveries.status', 'pending')
}

const TIMES = ['next_attempt_at', 'created_at']

/** Also of a delivery that is retried. */
export const AT_FIRST = {
  status: 'pending' as const,
  attempts: 0,
  response_status: null,
  duration_ms: null,
  error: null,
}

/** A test is sent to a disabled endpoint too. */
const IS_LEFT = `webhook_id = :webhookId AND status = 'pending' AND type <> '${TEST_TYPE}'
  AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = :webhookId AND w.disabled_at IS NOT NULL)`

/**
 * What is pending of a disabled webhook has failed; what was tried keeps its reason. Nothing of it is
 * sent meanwhile, so the batches can follow the commit that disables.
 */
export function failPending(webhookId: string, client: QueryClientContract = db.connection()) {
  const sql = `UPDATE webhook_deliveries
    SET status = 'failed', error = COALESCE(error, 'disabled'), next_attempt_at = NULL
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${IS_LEFT} LIMIT :size)
      AND status = 'pending' RETURNING id`
  return inBatches(async (size) => {
    const failed = await selectRows(client, sql, { webhookId, size })
    return failed.length
  })
}

/** Of webhooks whose disabling a killed process left unfinished. */
export async function failLeftPending() {
  const disabled = await db.from('webhooks').whereNotNull('disabled_at').select('id')
  for (const { id } of disabled) await failPending(id)
}
