import { DateTime } from 'luxon'
import Identity from '#models/identity'
import User from '#models/user'
import { canonicalEmail } from '#models/email'
import { E_INVALID_CREDENTIALS } from '#auth/errors'
import { createIdentity, showLastUsed } from './store_identity.ts'
import type { ExternalIdentity } from './provider.ts'
import type { Transaction } from '#database/transaction'
import type { IdentityUse } from './store_identity.ts'

/*
 | An identity that signs in may be linked to its user only with the session that it starts.
 | Linked earlier, it would stay with a user whose second factor, lock or disabling has
 | stopped the sign-in, and would sign in as that user once the obstacle is gone.
 */

/** An identity that a provider has confirmed, kept until the session of the sign-in starts. */
export interface ConfirmedIdentity extends ExternalIdentity {
  /** Whether it was linked to the user when the provider confirmed it. */
  isLinked: boolean
}

/**
 * Whether the provider and the user have both verified the address of the identity. This
 * stops pre-hijacking: an attacker who registers the address of a victim first, here or at
 * the provider, must not share the victim's user.
 */
export function canLinkByEmail(user: User, { email, emailVerified }: ExternalIdentity) {
  const isSameAddress = email !== null && canonicalEmail(email) === user.email
  return isSameAddress && emailVerified && user.isEmailVerified
}

/**
 * Marks the identity of a sign-in as used, and links it first if it is new. The user and
 * their identities are read again: both may have changed since the provider confirmed it.
 *
 * @throws E_INVALID_CREDENTIALS for an identity that was unlinked or linked elsewhere
 * meanwhile, or whose address is no longer the verified address of the user
 * @throws E_IDENTITY_TAKEN if another user links it at the same moment
 */
export async function useIdentity(
  userId: string,
  { identity, actor }: IdentityUse<ConfirmedIdentity>,
  trx: Transaction
): Promise<User> {
  const user = await User.findOrFail(userId, { client: trx })
  const known = await Identity.findBySubject(identity, trx)
  const isTheirs = known ? known.userId === userId : !identity.isLinked
  if (!isTheirs || !(known || canLinkByEmail(user, identity))) throw new E_INVALID_CREDENTIALS()
  if (known) await known.merge({ lastUsedAt: DateTime.utc() }).save()
  else await addIdentity(user, { identity, actor }, trx)
  return showLastUsed(userId, trx)
}

/** Links an identity to a user who exists. */
export async function addIdentity(
  user: User,
  { identity, actor }: IdentityUse<ExternalIdentity>,
  trx: Transaction
) {
  await createIdentity(user, { identity, actor }, trx)
  await showLastUsed(user.id, trx)
}
