import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { lockWebhookOrFail } from './webhook_rows.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { WebhookRow } from './webhook.ts'

/** @throws E_NOT_FOUND, E_TOKEN_REVOKED */
export function changeWebhook<Result>(
  id: string,
  actor: Actor,
  change: (row: WebhookRow, trx: Transaction) => Promise<Result>
) {
  return db.transaction(async (trx) => change(await lockForActor(id, actor, trx), trx))
}

export async function lockForActor(id: string, actor: Actor, trx: Transaction) {
  await assertActive(actor, trx)
  return lockWebhookOrFail(id, trx)
}
