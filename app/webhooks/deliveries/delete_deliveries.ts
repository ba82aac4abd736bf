import db from '@adonisjs/lucid/services/db'
import { deleteAll } from '#database/delete_some'

export function deleteDeliveries(webhookId: string) {
  return deleteWhere('webhook_id = ?', [webhookId])
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Deletes the deliveries of webhooks whose deletion a killed process left unfinished. The search
 * takes one step for each webhook, however many deliveries it has.
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

/** Pending deliveries stay. */
export function deleteOldDeliveries(before: number) {
  return deleteWhere(`created_at < ? AND status <> 'pending'`, [before])
}

function deleteWhere(where: string, values: [string | number]) {
  return deleteAll(db.connection(), { table: 'webhook_deliveries', where, values })
}
