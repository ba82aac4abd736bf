import { listWebhooks } from './webhook_rows.ts'

/** A receiver that restarts fails for less. */
const RESTART_MS = 300_000

/** Those whose deliveries have failed for a while, and those that were disabled for it. */
export async function findFailingWebhooks(now = Date.now()) {
  const webhooks = await listWebhooks()
  return webhooks.filter(({ enabled, disabledReason, failingSince }) => {
    if (!enabled) return disabledReason !== null
    return failingSince !== null && failingSince < now - RESTART_MS
  })
}
