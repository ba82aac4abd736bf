import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_TOKEN_REVOKED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import {
  E_EMAIL_TAKEN,
  E_EXTERNAL_EMAIL_MISSING,
  E_IDENTITY_CONFLICT,
  E_IDENTITY_TAKEN,
  E_LAST_SIGN_IN,
} from './errors.ts'
import { canonicalEmail } from '#auth/email'
import { insertUser, isUniqueViolation } from './insert_user.ts'
import { queueVerificationMail } from './email_verification.ts'
import store from '#auth/store/service'
import { queueMail } from '#mails/queue_mail'
import { recordAudit } from '#audit/trail'
import { userActor, type Actor } from '#audit/actor'
import type { ExternalIdentity } from '#auth/external/provider'
import type { Transaction } from '#database/transaction'

type Origin = { ip: string; userAgent: string | null }

/**
 * The user of an identity; one that was never seen gets a new user, or is linked to
 * the user of its e-mail where both sides have verified the address. Anything less
 * would let whoever registers somebody's address first, here or there, into their user.
 *
 * @throws E_IDENTITY_CONFLICT for an address that is not verified on both sides
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
  const known = await findIdentity(identity, trx)
  if (known) return useIdentity(known, trx)
  const email = identity.email && canonicalEmail(identity.email)
  if (!email) throw new E_EXTERNAL_EMAIL_MISSING()
  const owner = await User.findBy('email', email, { client: trx })
  if (!owner) return createUserOfIdentity({ ...identity, email }, from, trx)
  if (!identity.emailVerified || !owner.isEmailVerified) throw new E_IDENTITY_CONFLICT()
  await insertIdentity(owner, identity, userActor(owner.id, from), trx)
  return owner
}

function findIdentity({ issuer, subject }: ExternalIdentity, trx: Transaction) {
  return trx.from('identities').where({ issuer, subject }).first()
}

async function useIdentity(known: { id: string; user_id: string }, trx: Transaction) {
  await trx.from('identities').where('id', known.id).update({ last_used_at: Date.now() })
  return User.findOrFail(known.user_id, { client: trx })
}

async function createUserOfIdentity(
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
  await insertIdentity(user, identity, actor, trx)
  return user
}

/** A name of somebody else's system, without what could disguise it. */
function usernameOf({ name, email }: { name: string | null; email: string }) {
  const shown = name?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  return [...(shown || email.split('@')[0])].slice(0, 100).join('')
}

function isPicture(address: string | null): address is string {
  return URL.parse(address ?? '')?.protocol === 'https:' && address!.length <= 255
}

/** The session that asked for an identity to be linked. */
export interface LinkTarget {
  userId: string
  sessionId: string
}

/**
 * Links an identity to the user of somebody who is logged in, and still is: a session
 * that ended on the way to the provider and back links nothing any more.
 *
 * @throws E_TOKEN_REVOKED, E_IDENTITY_TAKEN
 */
export async function linkIdentity(
  { userId, sessionId }: LinkTarget,
  identity: ExternalIdentity,
  from: Origin
) {
  const session = await store.findSession(userId, sessionId, Date.now())
  return db.transaction(async (trx) => {
    const user = await User.lockForUpdate(userId, trx)
    if (!session || !user || user.isDisabled) throw new E_TOKEN_REVOKED()
    const known = await findIdentity(identity, trx)
    if (known && known.user_id !== userId) throw new E_IDENTITY_TAKEN()
    if (!known) await insertIdentity(user, identity, userActor(userId, from), trx)
    return user
  })
}

async function insertIdentity(
  user: User,
  identity: ExternalIdentity,
  actor: Actor,
  trx: Transaction
) {
  const { provider, issuer, subject, email } = identity
  const now = Date.now()
  const key = { user_id: user.id, provider, issuer, subject }
  const row = { id: uuidv7(), ...key, email, created_at: now, last_used_at: now }
  await trx.table('identities').insert(row)
  if (user.password) {
    const contents = { provider }
    await queueMail(
      { kind: 'identity_linked', recipient: user.email, userId: user.id, contents },
      trx
    )
  }
  const details = { provider, issuer, subject }
  await recordAudit({ action: 'identity.linked', actor, targetId: user.id, details }, trx)
}

/**
 * Unlinks a provider, unless it is the only way in.
 *
 * @throws E_NOT_FOUND, E_LAST_SIGN_IN
 */
export async function unlinkProvider(userId: string, provider: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await User.lockForUpdate(userId, trx)
    const identities = await trx.from('identities').where('user_id', userId)
    const others = identities.filter((identity) => identity.provider !== provider)
    if (!user || others.length === identities.length) throw new E_NOT_FOUND()
    if (!user.password && others.length === 0) throw new E_LAST_SIGN_IN()
    await removeIdentities(userId, { provider }, trx)
    const details = { provider }
    await recordAudit({ action: 'identity.unlinked', actor, targetId: userId, details }, trx)
  })
}

/** Takes identities off a user, and off its record where that names the provider. */
export async function removeIdentities(
  userId: string,
  which: { provider?: string },
  trx: Transaction
) {
  await trx
    .from('identities')
    .where({ user_id: userId, ...which })
    .delete()
  await trx
    .from('users')
    .where({ id: userId, ...which })
    .update({ provider: null, provider_id: null, updated_at: Date.now() })
}

/** The identities of a user, the oldest first. */
export async function listIdentities(userId: string) {
  const rows = await db.from('identities').where('user_id', userId).orderBy('id')
  return rows.map((row) => ({
    provider: row.provider as string,
    issuer: row.issuer as string,
    subject: row.subject as string,
    email: row.email as string | null,
    linkedAt: new Date(Number(row.created_at)).toISOString(),
    lastUsedAt: new Date(Number(row.last_used_at)).toISOString(),
  }))
}
