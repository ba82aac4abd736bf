import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import User from '#models/user'
import { E_INVALID_MFA_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { ConfirmedIdentity } from '#auth/external/link_identity'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/** A sign-in whose first step succeeded. */
export interface Challenge {
  user: User
  /** `password`, or the name of the provider. */
  method: string
  /** Of an external login. */
  identity?: ConfirmedIdentity
}

interface NewChallenge extends Challenge {
  /** The client that did the first step. */
  device: RequestSource
}

/** Opens the second step. The token is returned once; only its hash is stored. */
export async function openChallenge({ user, method, identity, device }: NewChallenge) {
  const mfaToken = randomBytes(32).toString('base64url')
  await db.table('mfa_challenges').insert({
    token_hash: hashToken(mfaToken),
    user_id: user.id,
    method,
    ip: device.ip,
    user_agent: device.userAgent,
    identity: identity ? JSON.stringify(identity) : null,
    password_changed_at: user.passwordChangedAt!.toMillis(),
    tries_left: settings.challengeTries,
    expires_at: Date.now() + settings.challengeTtlMs,
  })
  return { mfaToken, expiresIn: settings.challengeTtlMs / 1_000 }
}

function openChallenges(mfaToken: string) {
  return db
    .from('mfa_challenges')
    .where('token_hash', hashToken(mfaToken))
    .where('expires_at', '>', Date.now())
    .where('tries_left', '>', 0)
}

/**
 * Finds the challenge of a token. A password that has changed since the first step ends
 * the challenge: the first step was done with the old one.
 *
 * @throws E_INVALID_MFA_TOKEN
 */
export async function getChallengeOrFail(mfaToken: string): Promise<Challenge> {
  const row = await openChallenges(mfaToken).first()
  const user = row && (await User.find(row.user_id))
  const isUnchanged = user?.passwordChangedAt?.toMillis() === Number(row?.password_changed_at)
  if (!user || !isUnchanged) throw new E_INVALID_MFA_TOKEN()
  const identity = row.identity ? JSON.parse(row.identity) : undefined
  return { user, method: row.method, identity }
}

/** Whether the user of a challenge has codes: some administrators have a passkey alone. */
export async function takesCodes(mfaToken: string) {
  const row = await openChallenges(mfaToken).first()
  const user = row && (await User.find(row.user_id))
  return !user || Boolean(user.mfaEnabled)
}

/** Counts a try before the code is verified, so that requests at once cannot try more codes. */
export async function takeTryOrFail(mfaToken: string) {
  const taken = await openChallenges(mfaToken).decrement('tries_left', 1)
  if (Number(taken) !== 1) throw new E_INVALID_MFA_TOKEN()
}

/** Deletes a challenge with the start of its session: true for the one caller who deleted it. */
export async function closeChallenge(mfaToken: string, trx: Transaction) {
  const removed = await trx.from('mfa_challenges').where('token_hash', hashToken(mfaToken)).delete()
  return Number(removed) === 1
}

/**
 * Remembers that a client whose first step opened challenges has completed a second step:
 * one that sends the password anew together with the code abandons nothing.
 */
export async function answerChallenges(userId: string, { ip }: RequestSource, trx: Transaction) {
  await trx.from('mfa_challenges').where({ user_id: userId, ip }).update({ is_answered: true })
}

/** Deletes the challenges of a user: all, or those that a sign-in with one provider has opened. */
export async function closeChallenges(
  userId: string,
  which: { method?: string },
  trx: Transaction
) {
  await trx
    .from('mfa_challenges')
    .where({ user_id: userId, ...which })
    .delete()
}
