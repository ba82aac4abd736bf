import settings from '#config/webhooks'
import { deleteOldDeliveries, deleteOrphans } from './deliveries/delete_deliveries.ts'
import { failLeftPending } from './deliveries/delivery_rows.ts'

/** @returns the number of removed rows */
export async function pruneDeliveries(now: number) {
  await failLeftPending()
  return (await deleteOldDeliveries(now - settings.retentionMs)) + (await deleteOrphans())
}
