import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { lockForChange } from '#auth/lock_for_change'
import { recordAudit } from '#audit/trail'
import { isKeyId } from './key_format.ts'
import type { KeyRow } from './key_record.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/**
 * Revokes a key of a user: the next request with it is refused, on every process.
 *
 * @throws E_NOT_FOUND for a key of somebody else, too
 */
export async function revokeKey(userId: string, keyId: string, actor: Actor) {
  if (!isKeyId(keyId)) throw new E_NOT_FOUND()
  await db.transaction(async (trx) => {
    await lockForChange(userId, actor, trx)
    const key: KeyRow | null = await trx
      .from('api_keys')
      .where({ id: keyId, user_id: userId })
      .first()
    const revoked = await trx.from('api_keys').where({ id: keyId, user_id: userId }).delete()
    if (!key || Number(revoked) !== 1) throw new E_NOT_FOUND()
    const details = { keyId, name: key.name }
    await recordAudit({ action: 'api_key.revoked', actor, targetId: userId, details }, trx)
  })
}

/** Revokes the keys of a user that were made since a time, and returns their number. */
export async function revokeKeysSince(userId: string, since: number, trx: Transaction) {
  const made = trx.from('api_keys').where('user_id', userId).where('created_at', '>=', since)
  return Number(await made.delete())
}

/** Revokes those of them that the user made, and leaves those of administrators. */
export async function revokeKeysMadeBy(userId: string, since: number, trx: Transaction) {
  const own = trx.from('api_keys').where({ user_id: userId, created_by: userId })
  return Number(await own.where('created_at', '>=', since).delete())
}
