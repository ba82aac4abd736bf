import Identity from '#models/identity'
import { voidExternalCodes } from '#auth/external/exchange_code'
import { useIdentity, type ConfirmedIdentity } from '#auth/external/link_identity'
import { listIdentities, type IdentityRecord } from '#auth/external/list_identities'
import { isConsoleProvider, providerNames } from '#auth/external/providers'
import { storeLastProvider } from '#auth/external/store_identity'
import { record } from '#events/record'
import { closeChallenges } from '#auth/mfa/challenge'
import type {
  MethodTraits,
  VerifiedMethod,
  VerifiedSession,
  SignInTransaction,
} from './sign_in_method.ts'
import type { Transaction } from '#database/transaction'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type User from '#models/user'

// A provider that gives no time of its own sign-in proves nothing recent.
const NEVER = 0

export const external = {
  name: 'external',
  /** It is unknown here how a provider limits guesses, so our lock applies as well. */
  isGuessable: true,
  isMultiFactor: false,
  /** RFC 8176 defines no reference for a provider. */
  amr: () => [],
  verifiedAt: ({ identity }) => identity.authenticatedAt ?? NEVER,
  restore: (identity?: ConfirmedIdentity) => (identity ? { method: 'external', identity } : null),
  use: async (
    { id }: User,
    { identity }: VerifiedMethod<'external'>,
    { actor, trx }: SignInTransaction
  ) => useIdentity(id, { identity, actor }, trx),
  hasVerified: isLinked,
  isEnrolled: (user: User) => user.provider !== null,
  isLeft: hasOther,
  orWhereUsable: (query, trx) => {
    const identities = trx.from('identities').whereColumn('identities.user_id', 'users.id')
    return query.orWhereExists(identities.where((usable) => signsAdminsIn(usable, trx)))
  },
  credentials: {
    key: 'identities',
    list: listIdentities,
    summarize: ({ provider, email, linkedAt }: IdentityRecord) => ({ provider, email, linkedAt }),
    addedAt: ({ linkedAt }: IdentityRecord) => linkedAt,
    removeSince,
  },
} satisfies MethodTraits<'external'>

/**
 * A provider of the console signs an administrator in only if the administrator linked it. Its
 * issuer may have changed since then; a slash at the end does not make another issuer.
 */
function signsAdminsIn(usable: DatabaseQueryBuilderContract, trx: Transaction) {
  const stored = trx
    .from('external_providers')
    .whereColumn('external_providers.name', 'identities.provider')
    .whereRaw("rtrim(external_providers.issuer, '/') = rtrim(identities.issuer, '/')")
  const given = providerNames().filter((name) => !isConsoleProvider(name))
  return usable
    .whereIn('identities.provider', given)
    .orWhere((own) => own.where('linked_by_owner', true).whereExists(stored))
}

// When the owner unlinks a provider, what it proved no longer counts.
async function isLinked({ userId, method: provider }: VerifiedSession) {
  return Boolean(await Identity.query().where({ userId, provider }).first())
}

async function hasOther({ id: userId }: User, removed: string | null, trx: Transaction) {
  const identities = Identity.ofUser(userId, trx)
  if (removed) identities.whereNot('provider', removed)
  return Boolean(await identities.first())
}

async function removeSince(userId: string, since: number, trx: Transaction) {
  const unlinked = await removeIdentities(userId, { since }, trx)
  return { removed: unlinked.length > 0 ? { unlinked } : {} }
}

interface IdentitySelection {
  provider?: string
  /** In milliseconds since the epoch. */
  since?: number
}

/** Ends open sign-ins as well, which a provider's attacker could complete. @returns the names */
export async function removeIdentities(
  userId: string,
  { since = 0, ...which }: IdentitySelection,
  trx: Transaction
) {
  const removed = await Identity.ofUser(userId, trx).where(which).where('created_at', '>=', since)
  const ids = removed.map(({ id }) => id)
  await Identity.query({ client: trx }).whereIn('id', ids).delete()
  await voidExternalCodes(userId, which, trx)
  for (const { provider } of removed) {
    await closeChallenges(userId, { method: provider }, trx)
    const user = { id: userId }
    await record(trx, { type: 'identity.removed', user, context: { provider } })
  }
  await storeLastProvider(userId, trx)
  return removed.map(({ provider }) => provider)
}
