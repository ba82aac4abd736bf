import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { canonicalEmail } from '#auth/email'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'
import { E_EMAIL_TAKEN, E_EXTERNAL_EMAIL_MISSING, E_IDENTITY_CONFLICT } from './errors.ts'
import { toDisplayName, truncated } from './display_name.ts'
import { addIdentity } from './identities.ts'
import { insertUser, isUniqueViolation } from './insert_user.ts'
import { queueVerificationMail } from './email_verification.ts'
import type { ExternalIdentity } from '#auth/external/provider'
import type { Origin } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/**
 * Finds the user of an external identity. An unknown identity is linked to the user with
 * its e-mail address if both sides have verified the address, and otherwise gets a new
 * user. The verification on both sides stops pre-hijacking: an attacker who registers the
 * address of a victim first, here or at the provider, must not share the victim's user.
 *
 * @throws E_IDENTITY_CONFLICT for an address that is not verified on both sides
 * @throws E_EXTERNAL_EMAIL_MISSING for an unknown identity without an address
 */
export async function findOrCreateUserByIdentity(
  identity: ExternalIdentity,
  from: Origin
): Promise<User> {
  try {
    return await db.transaction((trx) => findOrCreate(identity, from, trx))
  } catch (error) {
    const isRace = isUniqueViolation(error) || error instanceof E_EMAIL_TAKEN
    if (!isRace) throw error
    return db.transaction((trx) => findOrCreate(identity, from, trx))
  }
}

async function findOrCreate(identity: ExternalIdentity, from: Origin, trx: Transaction) {
  const known = await Identity.findBySubject(identity, trx)
  if (known) return useIdentity(known, trx)
  const email = identity.email && canonicalEmail(identity.email)
  if (!email) throw new E_EXTERNAL_EMAIL_MISSING()
  const user = await User.findBy('email', email, { client: trx })
  if (!user) return createUser({ ...identity, email }, from, trx)
  if (!identity.emailVerified || !user.isEmailVerified) throw new E_IDENTITY_CONFLICT()
  await addIdentity(user, { identity, actor: userActor(user.id, from) }, trx)
  return user
}

async function useIdentity(known: Identity, trx: Transaction) {
  await known.merge({ lastUsedAt: DateTime.utc() }).save()
  return User.findOrFail(known.userId, { client: trx })
}

async function createUser(
  identity: ExternalIdentity & { email: string },
  from: Origin,
  trx: Transaction
) {
  const { email, provider, subject, emailVerified, picture } = identity
  const user = await insertUser({ email, username: usernameOf(identity) }, null, trx)
  await user
    .merge({
      provider,
      providerId: subject,
      avatar: isPicture(picture) ? picture : null,
      emailVerifiedAt: emailVerified ? DateTime.utc() : null,
    })
    .save()
  if (!emailVerified) await queueVerificationMail(user, trx)
  const actor = userActor(user.id, from)
  await recordAudit({ action: 'account.registered', actor, targetId: user.id }, trx)
  await addIdentity(user, { identity, actor }, trx)
  return user
}

/** The name at the provider. It is cleaned and not refused: its user cannot change it here. */
function usernameOf({ name, email }: { name: string | null; email: string }) {
  return toDisplayName(name ?? '') || truncated(email.split('@')[0])
}

function isPicture(address: string | null): address is string {
  return URL.parse(address ?? '')?.protocol === 'https:' && address!.length <= 255
}
