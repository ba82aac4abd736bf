import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/limits'
import { lockForChange } from '#auth/lock_for_change'
import { record } from '#events/record'
import { ADMIN_ROLE } from '#models/user'
import { isKeyId } from './key_format.ts'
import { scopesOf } from './scopes.ts'
import type { KeyRow } from './key_record.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/**
 * Revokes a key of a user: the next request with it is refused, on every process.
 *
 * @throws E_NOT_FOUND for a key of somebody else, too, and what `assertMay` throws
 */
export async function revokeKey(userId: string, keyId: string, actor: Actor) {
  assertMay('api_key.revoke', actor)
  if (!isKeyId(keyId)) throw new E_NOT_FOUND()
  await db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const key: KeyRow | null = await trx
      .from('api_keys')
      .where({ id: keyId, user_id: userId })
      .first()
    const revoked = await trx.from('api_keys').where({ id: keyId, user_id: userId }).delete()
    if (!key || Number(revoked) !== 1) throw new E_NOT_FOUND()
    const details = { keyId, name: key.name }
    await record(trx, { type: 'api_key.revoked', user, actor, details })
  })
}

/**
 * Revokes all keys of a user who becomes an administrator or is one no longer: the same scope,
 * such as `sessions:write`, reaches other users by an administrator's key. Between other roles
 * it revokes the keys with a scope that the new one does not grant. Given the role back later,
 * the owner must not get forgotten keys back.
 */
export async function revokeKeysOfRole(
  owner: Owner,
  { before, actor }: { before: string; actor: Actor },
  trx: Transaction
) {
  const granted: readonly string[] = scopesOf(owner)
  const changesAdmin = [before, owner.role].includes(ADMIN_ROLE)
  const keys: KeyRow[] = await trx.from('api_keys').where('user_id', owner.id).orderBy('id')
  const lost = keys.filter(
    ({ scopes }) => changesAdmin || scopes.split(' ').some((each) => !granted.includes(each))
  )
  for (const { id, name } of lost) {
    await trx.from('api_keys').where({ id }).delete()
    const details = { keyId: id, name, reason: 'role_changed' }
    await record(trx, { type: 'api_key.revoked', user: owner, actor, details })
  }
}

interface Owner {
  id: string
  role: string
  kind: string
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
