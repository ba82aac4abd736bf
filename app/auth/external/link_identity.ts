import { DateTime } from 'luxon'
import Identity from '#models/identity'
import User from '#models/user'
import { canonicalEmail } from '#models/email'
import { hasGroupsClaim } from './claimed_groups.ts'
import { isConsoleProvider, isOffered } from './providers.ts'
import { E_INVALID_CREDENTIALS } from '#auth/errors'
import { record } from '#events/record'
import { createIdentity, storeLastProvider } from './store_identity.ts'
import type { ExternalIdentity } from './provider.ts'
import type { Transaction } from '#database/transaction'
import type { IdentityUse } from './store_identity.ts'

// Links an identity only with the session: a sign-in that a lock or second factor stopped must not
// leave an identity that signs in later.

export interface ConfirmedIdentity extends ExternalIdentity {
  /** Whether the identity was already linked when the provider confirmed it. */
  isLinked: boolean
}

/** A stolen session could add a provider that says it verified an administrator's address. */
export function maySignIn(user: User, { linkedByOwner }: Identity, { provider }: ExternalIdentity) {
  return !user.isAdmin || Boolean(linkedByOwner) || !isConsoleProvider(provider)
}

/** Both sides must have verified it: an attacker may have registered it first (pre-hijacking). */
export function canLinkByEmail(user: User, identity: ExternalIdentity) {
  const { email, emailVerified, provider } = identity
  if (isConsoleProvider(provider)) return false
  const isSameAddress = email !== null && canonicalEmail(email) === user.email
  return isSameAddress && emailVerified && user.isEmailVerified
}

/** If a console provider made the account, only that provider vouches for the user's address. */
export async function mayLinkByEmail(user: User, identity: ExternalIdentity, trx: Transaction) {
  if (!canLinkByEmail(user, identity)) return false
  const others = await Identity.ofUser(user.id, trx)
  return others.every(
    ({ provider, linkedByOwner }) => linkedByOwner || !isConsoleProvider(provider)
  )
}

/**
 * Reads user and identities again, because both may have changed since the confirmation.
 * @throws E_INVALID_CREDENTIALS if they have, E_IDENTITY_TAKEN by another user, E_IDENTITY_LIMIT
 */
export async function useIdentity(
  userId: string,
  { identity, actor }: IdentityUse<ConfirmedIdentity>,
  trx: Transaction
): Promise<User> {
  const user = await User.findOrFail(userId, { client: trx })
  const known = await Identity.findBySubject(identity, trx)
  const isTheirs = known ? known.userId === userId : !identity.isLinked
  const isGood = known
    ? maySignIn(user, known, identity)
    : await mayLinkByEmail(user, identity, trx)
  if (!isTheirs || !isGood || !isOffered(identity)) throw new E_INVALID_CREDENTIALS()
  if (known) await known.merge({ lastUsedAt: DateTime.utc() }).save()
  else await addIdentity(user, { identity, actor }, trx)
  await recordUse({ user, identity, actor }, trx)
  return storeLastProvider(userId, trx)
}

async function recordUse(
  { user, identity, actor }: IdentityUse<ExternalIdentity> & { user: User },
  trx: Transaction
) {
  const { provider, groups } = identity
  if (!hasGroupsClaim(provider)) return
  await record(trx, { type: 'identity.used', user, context: { provider, groups, actor } })
}

export async function addIdentity(
  user: User,
  { identity, actor }: IdentityUse<ExternalIdentity>,
  trx: Transaction
) {
  await createIdentity(user, { identity, actor }, trx)
  await storeLastProvider(user.id, trx)
}
