import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { getWebhookOrFail } from '#webhooks/webhook_rows'
import { toDelivery, type DeliveryRow, type DeliveryStatus } from './delivery.ts'

export interface DeliveryPage {
  status?: DeliveryStatus
  /** The id of the last delivery on the previous page. */
  cursor?: string
  limit?: number
}

/** Returns the newest delivery first. @throws E_NOT_FOUND */
export async function listDeliveries(webhookId: string, page: DeliveryPage = {}) {
  const { status, cursor, limit = limits.deliveryPage } = page
  await getWebhookOrFail(webhookId)
  const query = db
    .from('webhook_deliveries')
    .where({ webhook_id: webhookId, ...(status && { status }) })
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor) query.where('id', '<', cursor)
  const rows: DeliveryRow[] = await query
  const deliveries = rows.slice(0, limit).map(toDelivery)
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)!.id : null }
}

/** @param of ids of the database */
export async function findDeliveryOf(of: { webhookId: string; eventId: string }) {
  const columns = { webhook_id: of.webhookId, event_id: of.eventId }
  const row: DeliveryRow | null = await db.from('webhook_deliveries').where(columns).first()
  return row && toDelivery(row)
}

/** @throws E_NOT_FOUND */
export async function getDeliveryOrFail(webhookId: string, id: string) {
  const areIds = isUuid(webhookId) && isUuid(id)
  const of = { webhook_id: webhookId, id }
  const row: DeliveryRow | null = areIds
    ? await db.from('webhook_deliveries').where(of).first()
    : null
  if (!row) throw new E_NOT_FOUND()
  return toDelivery(row)
}
