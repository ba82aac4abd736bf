import limits from '#config/limits'
import { consume } from '#auth/lockout/rate_limit'
import type { Actor } from '#audit/actor'

type WebhookLimit = 'webhookTests' | 'webhookReplays' | 'webhookRetries'

/** @throws E_TOO_MANY_REQUESTS */
export function throttleWebhook(limit: WebhookLimit, webhookId: string) {
  return consume(`${limit}:{${webhookId}}`, limits[limit])
}

/** A replay may read the whole trail. @throws E_TOO_MANY_REQUESTS */
export async function throttleReplays({ id, keyId }: Actor) {
  const caller = keyId ?? id
  if (caller) await consume(`callerReplays:{${caller}}`, limits.callerReplays)
}

/** A leaked key or session must not flood administrators with mails. @throws E_TOO_MANY_REQUESTS */
export async function throttleWebhookChanges({ id, keyId }: Actor) {
  if (keyId) await consume(`webhookChanges:{${keyId}}`, limits.webhookChanges)
  else if (id) await consume(`webhookChanges:{${id}}`, limits.ownWebhookChanges)
}
