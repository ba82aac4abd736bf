import { shared } from '#health/shared_result'
import { countPendingDeliveries } from '#webhooks/deliveries/pending_counts'

/** All families of one scrape share a read. */
const readPending = shared(countPendingDeliveries, 0)

export async function pendingDeliveries() {
  const { oldestAt, ...counts } = await readPending()
  return { ...counts, ageMs: oldestAt === null ? 0 : Math.max(0, Date.now() - oldestAt) }
}
