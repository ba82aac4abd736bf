import { listWebhooks } from './webhook_rows.ts'

/** A receiver that restarts fails for a shorter time. */
const RESTART_MS = 300_000

/** Returns webhooks whose deliveries have failed for a while, or that were disabled for it. */
export async function findFailingWebhooks(now = Date.now()) {
  const webhooks = await listWebhooks()
  return webhooks.filter(({ enabled, disabledReason, failingSince }) => {
    if (!enabled) return disabledReason !== null
    return failingSince !== null && failingSince < now - RESTART_MS
  })
}
