import { assertMay } from '#auth/callers/permissions'
import { record } from '#events/record'
import { TEST_TYPE } from '#webhooks/types/public_types'
import { changeWebhook } from './change_webhook.ts'
import { insertDeliveries } from './deliveries/delivery_rows.ts'
import { wakeDispatcher } from './wake.ts'
import { throttleWebhook } from './throttle.ts'
import { detailsOf } from './webhook.ts'
import { getWebhookOrFail } from './webhook_rows.ts'
import type { Actor } from '#audit/actor'

/**
 * Sends a test event, whatever the filters are, even to a disabled webhook.
 * @returns the id of the event
 * @throws E_NOT_FOUND, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function testWebhook(id: string, actor: Actor) {
  assertMay('webhook.settings', actor)
  await getWebhookOrFail(id)
  await throttleWebhook('webhookTests', id)
  return changeWebhook(id, actor, async (row, trx) => {
    const event = { type: 'webhook.tested' as const, user: null, actor, details: detailsOf(row) }
    const eventId = (await record(trx, event))!
    const delivery = { webhook_id: id, event_id: eventId, sequence: null, type: TEST_TYPE }
    await insertDeliveries([delivery], Date.now(), trx)
    trx.after('commit', wakeDispatcher)
    return eventId
  })
}
