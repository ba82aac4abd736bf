import limits from '#config/limits'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Events that an endpoint does not take in time are not cut, and stay in the trail. */
export async function hasCapacity(webhookId: string, client: QueryClientContract) {
  const pending = client.from('webhook_deliveries').where('webhook_id', webhookId)
  const last = pending.whereNotNull('next_attempt_at').offset(limits.pendingDeliveries - 1)
  return !(await last.select('id').first())
}
