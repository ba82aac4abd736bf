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

/** SQLite needs the WHERE: otherwise it reads ON CONFLICT as the condition of a join. */
const NEW_ROWS = {
  postgres: `SELECT o.*, 'pending', 0, CAST(:now AS bigint), CAST(:now AS bigint)
    FROM jsonb_to_recordset(CAST(:rows AS jsonb))
      AS o(id uuid, webhook_id uuid, event_id uuid, sequence bigint, type text)`,
  sqlite: `SELECT o.value ->> 'id', o.value ->> 'webhook_id', o.value ->> 'event_id',
      o.value ->> 'sequence', o.value ->> 'type', 'pending', 0, :now, :now
    FROM json_each(:rows) AS o WHERE true`,
}

/**
 * Inserts all deliveries with one statement, whose text does not depend on their number. A replayed
 * event is pending again, under a new id that puts it at the top of the list.
 */
export async function insertDeliveries(deliveries: NewDelivery[], now: number, trx: Transaction) {
  if (deliveries.length === 0) return
  const rows = deliveries.map((delivery) => ({ id: uuidv7(), ...delivery }))
  await selectRows(
    trx,
    `INSERT INTO webhook_deliveries
       (id, webhook_id, event_id, sequence, type, status, attempts, next_attempt_at, created_at)
     ${NEW_ROWS[trx.dialect.name === 'postgres' ? 'postgres' : 'sqlite']}
     ON CONFLICT (webhook_id, event_id) DO UPDATE SET id = excluded.id, status = excluded.status,
       attempts = excluded.attempts, response_status = NULL, duration_ms = NULL, error = NULL,
       next_attempt_at = excluded.next_attempt_at, created_at = excluded.created_at
     WHERE webhook_deliveries.status <> 'pending'`,
    { rows: JSON.stringify(rows), now }
  )
}

/** Excludes tests, which are also sent to a disabled endpoint. */
const IS_LEFT = `webhook_id = :webhookId AND status = 'pending' AND type <> '${TEST_TYPE}'
  AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = :webhookId AND w.disabled_at IS NOT NULL)`

/**
 * Fails the pending deliveries of a disabled webhook; one that was tried keeps its error. None of
 * them is sent after the commit that disables the webhook, so the batches can follow it.
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

/** Fails the deliveries of webhooks whose disabling a killed process left unfinished. */
export async function failLeftPending() {
  const disabled = await db.from('webhooks').whereNotNull('disabled_at').select('id')
  for (const { id } of disabled) await failPending(id)
}
