import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/permissions'
import { record } from '#events/record'
import { TEST_TYPE } from '#webhooks/types/public_types'
import { changeWebhook } from '#webhooks/change_webhook'
import { E_WEBHOOK_DISABLED } from '#webhooks/errors'
import { throttleWebhook } from '#webhooks/throttle'
import { detailsOf } from '#webhooks/webhook'
import { wakeDispatcher } from '#webhooks/wake'
import { getDeliveryOrFail } from './list_deliveries.ts'
import type { Actor } from '#audit/actor'

const AT_FIRST = {
  status: 'pending',
  attempts: 0,
  response_status: null,
  duration_ms: null,
  error: null,
}

/**
 * Tries a pending delivery immediately, and any other delivery as if it were new.
 * @throws E_NOT_FOUND, E_WEBHOOK_DISABLED, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function retryDelivery(webhookId: string, id: string, actor: Actor) {
  assertMay('webhook.settings', actor)
  const { eventId, type } = await getDeliveryOrFail(webhookId, id)
  await throttleWebhook('webhookRetries', webhookId)
  await changeWebhook(webhookId, actor, async (row, trx) => {
    if (row.disabled_at !== null && type !== TEST_TYPE) throw new E_WEBHOOK_DISABLED()
    const delivery = () => trx.from('webhook_deliveries').where('id', id)
    const next = { next_attempt_at: Date.now() }
    const hasPending = Number(await delivery().where('status', 'pending').update(next)) === 1
    const isThere = hasPending || Number(await delivery().update({ ...AT_FIRST, ...next })) === 1
    if (!isThere) throw new E_NOT_FOUND()
    const details = { ...detailsOf(row), eventId }
    await record(trx, { type: 'webhook.delivery_retried', user: null, actor, details })
    trx.after('commit', wakeDispatcher)
  })
}
