import { countPendingDeliveries } from '#webhooks/deliveries/pending_counts'

let reading: ReturnType<typeof countPendingDeliveries> | undefined

/** The families of one scrape share a read. */
export async function pendingDeliveries() {
  reading ??= countPendingDeliveries().finally(() => (reading = undefined))
  const { oldestAt, ...counts } = await reading
  return { ...counts, ageMs: oldestAt === null ? 0 : Math.max(0, Date.now() - oldestAt) }
}
