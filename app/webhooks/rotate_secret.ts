import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import { assertNotManaged } from '#configuration/managed'
import { record } from '#events/record'
import { lockForActor } from './change_webhook.ts'
import { encryptSecret, isSecret, PREVIOUS_SECRET_MS } from './secrets.ts'
import { newWebhookSecret } from './signature.ts'
import { detailsOf, toWebhook, type Webhook } from './webhook.ts'
import { updateWebhookRow } from './webhook_rows.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface WebhookWithSecret {
  webhook: Webhook
  secret: string | null
}

/**
 * Rotates the secret. The previous one stays valid for a day.
 * @param ofForm the secret that a form derives, so that a form that is sent twice rotates once
 * @throws E_NOT_FOUND, E_MANAGED, and what `assertMay` throws
 */
export function rotateWebhookSecret(id: string, actor: Actor, ofForm?: string) {
  return db.transaction((trx) => rotateWebhookSecretWithin({ id, actor, ofForm }, trx))
}

interface Rotation {
  id: string
  actor: Actor
  /** The secret from a configuration file. */
  given?: string
  ofForm?: string
  /** Whether the current secret stops signing immediately. */
  endsCurrent?: boolean
}

export async function rotateWebhookSecretWithin(
  { id, actor, given, ofForm, endsCurrent = false }: Rotation,
  trx: Transaction
) {
  assertMay('webhook.secret', actor)
  const row = await lockForActor(id, actor, trx)
  const proposed = given ?? ofForm ?? newWebhookSecret()
  if (isSecret(id, row.secret, proposed)) return { webhook: toWebhook(row), secret: proposed }
  /** A form that is sent again after another rotation does not bring its secret back. */
  const isPrevious = proposed === ofForm && isSecret(id, row.previous_secret, proposed)
  const secret = isPrevious ? newWebhookSecret() : proposed
  await assertNotManaged({ kind: 'webhook', id }, ['secret'], trx)
  const columns = {
    secret: encryptSecret(id, secret),
    previous_secret: endsCurrent ? null : row.secret,
    previous_secret_until: endsCurrent ? null : Date.now() + PREVIOUS_SECRET_MS,
    updated_at: Date.now(),
  }
  await updateWebhookRow(id, columns, trx)
  const details = detailsOf(row)
  await record(trx, { type: 'webhook.secret_rotated', user: null, actor, details })
  return { webhook: toWebhook({ ...row, ...columns }), secret }
}
