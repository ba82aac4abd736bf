import limits from '#config/limits'
import { consume } from '#auth/lockout/rate_limit'

type WebhookLimit = 'webhookTests' | 'webhookReplays' | 'webhookRetries'

/** @throws E_TOO_MANY_REQUESTS */
export function throttleWebhook(limit: WebhookLimit, webhookId: string) {
  return consume(`${limit}:{${webhookId}}`, limits[limit])
}
