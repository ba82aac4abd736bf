import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { assertMay } from '#auth/callers/permissions'
import { lockForChange } from '#auth/lock_for_change'
import { record } from '#events/record'
import { ADMIN_ROLE } from '#models/user'
import { isKeyId } from './key_format.ts'
import { REACHING_SCOPES, scopesOf } from './scopes.ts'
import type { KeyRow } from './key_record.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** @throws E_NOT_FOUND, also for another user's key, and what `assertMay` throws */
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
 * A promotion would let a key for one's own sessions reach the sessions of all users, by the same
 * scope. A role that is taken away and given back later must not revive forgotten keys.
 */
export async function revokeKeysOfRole(
  owner: Owner,
  { before, actor }: { before: string; actor: Actor },
  trx: Transaction
) {
  const granted: readonly string[] = scopesOf(owner)
  const isPromoted = owner.role === ADMIN_ROLE && before !== ADMIN_ROLE
  const keys: KeyRow[] = await trx.from('api_keys').where('user_id', owner.id).orderBy('id')
  const isRevoked = (scope: string) =>
    !granted.includes(scope) || (isPromoted && REACHING_SCOPES.includes(scope))
  const lost = keys.filter(({ scopes }) => scopes.split(' ').some(isRevoked))
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

/** @returns how many keys were revoked */
export async function revokeKeysSince(userId: string, since: number, trx: Transaction) {
  const made = trx.from('api_keys').where('user_id', userId).where('created_at', '>=', since)
  return Number(await made.delete())
}

/** Keeps the keys that administrators created for the user. */
export async function revokeKeysMadeBy(userId: string, since: number, trx: Transaction) {
  const own = trx.from('api_keys').where({ user_id: userId, created_by: userId })
  return Number(await own.where('created_at', '>=', since).delete())
}
