import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { SYSTEM } from '#audit/actor'
import { mailedAdministrators } from '#auth/administrators'
import { record } from '#events/record'
import { failPending } from './deliveries/delivery_rows.ts'
import { detailsOf, type DisabledReason, type WebhookRow } from './webhook.ts'

/** Two processes may decide the same, or the address may have changed since: the update decides. */
export async function disableWebhook(
  { id, url }: Pick<WebhookRow, 'id' | 'url'>,
  reason: DisabledReason
) {
  const isDisabled = await db.transaction(async (trx) => {
    const columns = { disabled_at: Date.now(), disabled_reason: reason, cut_sequence: null }
    const enabled = trx.from('webhooks').where({ id, url }).whereNull('disabled_at')
    if (Number(await enabled.update({ ...columns, starts_with: null })) !== 1) return false
    const row: WebhookRow = await trx.from('webhooks').where('id', id).firstOrFail()
    const details = { ...detailsOf(row), reason }
    const context = { recipients: await mailedAdministrators(trx) }
    await record(trx, { type: 'webhook.disabled', user: null, actor: SYSTEM, details, context })
    return true
  })
  if (!isDisabled) return
  logger.warn({ webhookId: id, reason }, 'a webhook was disabled')
  await failPending(id)
}
