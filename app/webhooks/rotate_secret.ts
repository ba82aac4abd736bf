import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/limits'
import { assertNotManaged } from '#configuration/managed'
import { record } from '#events/record'
import { lockForActor } from './change_webhook.ts'
import { decryptSecrets, encryptSecret, PREVIOUS_SECRET_MS } from './secrets.ts'
import { newWebhookSecret } from './signature.ts'
import { detailsOf, toWebhook, type Webhook } from './webhook.ts'
import { updateWebhookRow } from './webhook_rows.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface WebhookWithSecret {
  webhook: Webhook
  secret: string
}

/** The previous secret stays good for a day. @throws E_NOT_FOUND, E_MANAGED, and what `assertMay` throws */
export function rotateWebhookSecret(id: string, actor: Actor, given?: { secret?: string }) {
  const rotation = { id, actor, given: given?.secret }
  return db.transaction((trx) => rotateWebhookSecretWithin(rotation, trx))
}

export async function rotateWebhookSecretWithin(
  { id, actor, given }: { id: string; actor: Actor; given?: string },
  trx: Transaction
): Promise<WebhookWithSecret> {
  assertMay('webhook.secret', actor)
  const secret = given ?? newWebhookSecret()
  const row = await lockForActor(id, actor, trx)
  if (given && decryptSecrets(row, false).includes(given))
    return { webhook: toWebhook(row), secret }
  await assertNotManaged({ kind: 'webhook', id }, ['secret'], trx)
  const columns = {
    secret: encryptSecret(id, secret),
    previous_secret: row.secret,
    previous_secret_until: Date.now() + PREVIOUS_SECRET_MS,
    updated_at: Date.now(),
  }
  await updateWebhookRow(id, columns, trx)
  const details = detailsOf(row)
  await record(trx, { type: 'webhook.secret_rotated', user: null, actor, details })
  return { webhook: toWebhook({ ...row, ...columns }), secret }
}
