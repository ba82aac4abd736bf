import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { selectRows } from '#database/select_rows'

export function deleteDeliveries(webhookId: string) {
  return deleteWhere('webhook_id = :webhookId', { webhookId })
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Of webhooks whose deletion a killed process left unfinished. A step for each webhook, however many
 * deliveries it has.
 */
export async function deleteOrphans() {
  let deleted = 0
  for (let id = await nextWebhookId(BEFORE_ALL); id; id = await nextWebhookId(id)) {
    const isThere = await db.from('webhooks').where({ id }).select('id').first()
    if (!isThere) deleted += await deleteDeliveries(id)
  }
  return deleted
}

async function nextWebhookId(after: string): Promise<string | null> {
  const later = db.from('webhook_deliveries').where('webhook_id', '>', after)
  const row = await later.orderBy('webhook_id').select('webhook_id').first()
  return row?.webhook_id ?? null
}

/** What is pending stays. */
export function deleteOldDeliveries(before: number) {
  return deleteWhere(`created_at < :before AND status <> 'pending'`, { before })
}

/** @returns the number of deleted rows */
function deleteWhere(condition: string, values: Record<string, string | number>) {
  const client = db.connection()
  const row = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
  const sql = `DELETE FROM webhook_deliveries WHERE ${condition} AND ${row} IN
    (SELECT ${row} FROM webhook_deliveries WHERE ${condition} LIMIT :size) RETURNING 1`
  return inBatches(async (size) => {
    const deleted = await selectRows(client, sql, { ...values, size })
    return deleted.length
  })
}
