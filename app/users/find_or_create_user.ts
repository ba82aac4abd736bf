import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { canonicalEmail } from '#models/email'
import { E_IDENTITY_TAKEN } from '#auth/errors'
import { mayLinkByEmail, maySignIn, type ConfirmedIdentity } from '#auth/external/link_identity'
import { assertOffered } from '#auth/external/providers'
import { createIdentity, storeLastProvider } from '#auth/external/store_identity'
import { record } from '#events/record'
import { userActor } from '#audit/actor'
import { E_EMAIL_TAKEN, E_EXTERNAL_EMAIL_MISSING, E_IDENTITY_CONFLICT } from './errors.ts'
import { toDisplayName, truncated } from '#models/display_name'
import { insertUser } from './insert_user.ts'
import { assertMaySignUp } from './sign_up.ts'
import type { ExternalIdentity } from '#auth/external/provider'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/** A user who is identified, but has no session yet. */
export interface IdentifiedUser {
  user: User
  identity: ConfirmedIdentity
}

/**
 * Links by an address only if both sides verified it, and only when the session starts.
 * @throws E_IDENTITY_CONFLICT for an address that is not verified on both sides
 * @throws E_EXTERNAL_EMAIL_MISSING for an unknown identity without an address
 * @throws E_NOT_FOUND for a provider that has been removed
 * @throws E_SIGN_UP_CLOSED, E_VALIDATION_ERROR for a new user who may not sign up
 */
export async function findOrCreateUserByIdentity(
  identity: ExternalIdentity,
  from: RequestSource
): Promise<IdentifiedUser> {
  await assertOffered(identity)
  try {
    return await db.transaction((trx) => findOrCreate(identity, from, trx))
  } catch (error) {
    const isRace = error instanceof E_IDENTITY_TAKEN || error instanceof E_EMAIL_TAKEN
    if (!isRace) throw error
    return db.transaction((trx) => findOrCreate(identity, from, trx))
  }
}

async function findOrCreate(
  identity: ExternalIdentity,
  from: RequestSource,
  trx: Transaction
): Promise<IdentifiedUser> {
  const linked = { ...identity, isLinked: true }
  const known = await Identity.findBySubject(identity, trx)
  if (known) {
    const user = await User.findOrFail(known.userId, { client: trx })
    if (!maySignIn(user, known, identity)) throw new E_IDENTITY_CONFLICT()
    return { user, identity: linked }
  }
  const email = identity.email && canonicalEmail(identity.email)
  if (!email) throw new E_EXTERNAL_EMAIL_MISSING()
  const user = await User.findBy('email', email, { client: trx })
  if (!user) {
    return { user: await createUser({ ...identity, email }, from, trx), identity: linked }
  }
  if (!(await mayLinkByEmail(user, identity, trx))) throw new E_IDENTITY_CONFLICT()
  return { user, identity: { ...identity, isLinked: false } }
}

async function createUser(
  identity: ExternalIdentity & { email: string },
  from: RequestSource,
  trx: Transaction
) {
  const { email, emailVerified, isFromConsole } = identity
  assertMaySignUp(email)
  const newUser = { email, username: usernameOf(identity), isTrusted: false }
  const user = await insertUser(newUser, null, trx)
  /** A provider added in the console could claim any address, so the owner confirms it by mail. */
  const isProved = emailVerified && !isFromConsole
  await user.merge({ emailVerifiedAt: isProved ? DateTime.utc() : null }).save()
  const actor = userActor(user.id, from)
  await record(trx, { type: 'account.registered', user, actor })
  await createIdentity(user, { identity, actor, isNewUser: true }, trx)
  return storeLastProvider(user.id, trx)
}

/** Cleans the name instead of refusing it, because the user cannot change it here. */
function usernameOf({ name, email }: { name: string | null; email: string }) {
  return toDisplayName(name ?? '') || truncated(email.split('@')[0])
}
