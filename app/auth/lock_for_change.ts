import User from '#models/user'
import store from '#auth/store/service'
import { E_SERVICE_ACCOUNT, E_TOKEN_REVOKED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

// While a thief's request waits for a hash or an upload, the owner may report the thief and end
// its session. Changes and `TokenStore.endSessions` lock the user's row first. So the change is
// refused, or the end of the session finds and removes what the change made.

/**
 * Locks the user until the transaction ends. Call it first, or after `changeKeepingAnAdmin`.
 * @throws E_TOKEN_REVOKED if the actor's session or API key has ended, E_NOT_FOUND
 */
export async function lockForChange(userId: string, actor: Actor, trx: Transaction) {
  const user = await User.lockForUpdate(userId, trx)
  await assertActive(actor, trx)
  if (!user) throw new E_NOT_FOUND()
  return user
}

/** For changes that affect no user; it locks no row. @throws E_TOKEN_REVOKED */
export async function assertActive(actor: Actor, trx: Transaction) {
  if (!(await isActive(actor, trx))) throw new E_TOKEN_REVOKED()
}

// Mailed links, commands and the system have neither session nor key that could end.
function isActive({ id, sessionId, keyId }: Actor, trx: Transaction) {
  if (!id) return true
  if (keyId) return isKeyActive(keyId, trx)
  if (!sessionId) return true
  return store.isSessionAlive({ userId: id, sessionId }, Date.now(), trx)
}

async function isKeyActive(keyId: string, trx: Transaction) {
  const key = trx.from('api_keys as k').join('users as u', 'u.id', 'k.user_id')
  const row = await key
    .where('k.id', keyId)
    .where('k.expires_at', '>', Date.now())
    .whereNull('u.disabled_at')
    .select('k.id')
    .first()
  return Boolean(row)
}

/** @throws E_SERVICE_ACCOUNT for a service account, which cannot sign in */
export function assertNotServiceAccount(user: User) {
  if (user.isService) throw new E_SERVICE_ACCOUNT()
}
