import User from '#models/user'
import store from '#auth/store/service'
import { E_SERVICE_ACCOUNT, E_TOKEN_REVOKED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/*
 | A request is let in by its session and may then wait: for a hash, for an upload, for a row.
 | If the session ends meanwhile, because its owner reports a thief, the change must not happen
 | any more. Each change by a caller therefore begins here, and each end of a session takes the
 | row of its user first (`TokenStore.endSessions`). So a change is refused, or it is complete
 | before the end, which then finds and removes what a thief has made.
 */

/**
 * Locks the row of a user for a change by an actor, until the transaction ends. It is the
 * first statement of the transaction, or follows `changeKeepingAnAdmin`.
 *
 * @throws E_TOKEN_REVOKED if the session or API key of the actor has ended, E_NOT_FOUND
 */
export async function lockForChange(userId: string, actor: Actor, trx: Transaction) {
  const user = await User.lockForUpdate(userId, trx)
  await assertActive(actor, trx)
  if (!user) throw new E_NOT_FOUND()
  return user
}

/**
 * Refuses an actor whose session or API key has ended since their request was let in. For
 * changes of something other than a user; nothing holds the end back until the commit.
 *
 * @throws E_TOKEN_REVOKED
 */
export async function assertActive(actor: Actor, trx: Transaction) {
  if (!(await isActive(actor, trx))) throw new E_TOKEN_REVOKED()
}

/** Links of mails, commands and the system have neither: nothing of theirs can end. */
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

/**
 * Refuses what belongs to a sign-in, which a service account does not have.
 *
 * @throws E_SERVICE_ACCOUNT
 */
export function assertNotServiceAccount(user: User) {
  if (user.isService) throw new E_SERVICE_ACCOUNT()
}
