import limits from '#config/limits'
import Identity from '#models/identity'
import User from '#models/user'
import { E_IDENTITY_LIMIT, E_IDENTITY_TAKEN } from '#auth/errors'
import { isUniqueViolation } from '#database/unique_violation'
import { record } from '#events/record'
import type { ExternalIdentity } from './provider.ts'
import type { Transaction } from '#database/transaction'
import type { Actor } from '#audit/actor'

/**
 * A new user gets no mail about the identity that created the account. Requires a lock on the
 * user's row, for the limit. @throws E_IDENTITY_LIMIT, E_IDENTITY_TAKEN
 */
export async function createIdentity(
  user: User,
  { identity, actor, isNewUser = false }: IdentityUse<ExternalIdentity> & { isNewUser?: boolean },
  trx: Transaction
) {
  const { picture } = identity
  await insertIdentity(user.id, identity, trx)
  if (isPicture(picture)) {
    const withoutPicture = trx.from('users').where('id', user.id).whereNull('avatar')
    await withoutPicture.update({ avatar: picture, updated_at: Date.now() })
  }
  await recordLink(user, { identity, actor, isNewUser }, trx)
}

export function recordLink(
  user: User,
  { identity, actor, isNewUser = false }: IdentityUse<ExternalIdentity> & { isNewUser?: boolean },
  trx: Transaction
) {
  const { provider, issuer, subject } = identity
  const details = { provider, issuer, subject }
  return record(trx, { type: 'identity.linked', user, actor, details, context: { isNewUser } })
}

// The unique index gives an identity to only one of several users.
async function insertIdentity(userId: string, identity: ExternalIdentity, trx: Transaction) {
  const { provider, issuer, subject, email } = identity
  if ((await countIdentities(userId, trx)) >= limits.identities) throw new E_IDENTITY_LIMIT()
  try {
    await Identity.create({ userId, provider, issuer, subject, email }, { client: trx })
  } catch (error) {
    throw isUniqueViolation(error) ? new E_IDENTITY_TAKEN() : error
  }
}

async function countIdentities(userId: string, trx: Transaction) {
  const [{ total }] = await trx.from('identities').where('user_id', userId).count('* as total')
  return Number(total)
}

// Accepts only https, to avoid mixed content on a page that shows the picture.
function isPicture(address: string | null): address is string {
  return URL.parse(address ?? '')?.protocol === 'https:' && address!.length <= 255
}

export async function storeLastProvider(userId: string, trx: Transaction): Promise<User> {
  const [last] = await Identity.ofUser(userId, trx)
    .clearOrder()
    .orderBy([
      { column: 'last_used_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(1)
  const user = await User.findOrFail(userId, { client: trx })
  const shown = { provider: last?.provider ?? null, providerId: last?.subject ?? null }
  const isShown = user.provider === shown.provider && user.providerId === shown.providerId
  return isShown ? user : user.merge(shown).save()
}

export interface IdentityUse<T extends ExternalIdentity> {
  identity: T
  actor: Actor
}
