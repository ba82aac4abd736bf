import { E_LAST_METHOD } from './errors.ts'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/** The sign-in method that is about to go: every identity of a provider, or one passkey. */
type Going = { provider: string } | { passkeyId: string }

/**
 * Refuses to remove the last sign-in method of a user, whose row is locked by now: with a password, or
 * another identity or passkey, they can still sign in. A link by mail does not count: it is
 * for who has forgotten a password.
 *
 * @throws E_LAST_METHOD
 */
export async function assertAnotherMethod(user: User, going: Going, trx: Transaction) {
  if (user.password) return
  const identities = trx.from('identities').where('user_id', user.id)
  if ('provider' in going) identities.whereNot('provider', going.provider)
  const passkeys = trx.from('passkeys').where('user_id', user.id)
  if ('passkeyId' in going) passkeys.whereNot('id', going.passkeyId)
  const others = [await identities.limit(1), await passkeys.limit(1)].flat()
  if (others.length === 0) throw new E_LAST_METHOD()
}
