import settings from '#config/webhooks'
import { deleteOldDeliveries, deleteOrphans } from './deliveries/delivery_rows.ts'

/** @returns the number of removed rows */
export async function pruneDeliveries(now: number) {
  return (await deleteOldDeliveries(now - settings.retentionMs)) + (await deleteOrphans())
}
