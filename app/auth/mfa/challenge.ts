import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import settings from '#config/mfa'
import User from '#models/user'
import { E_INVALID_MFA_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { ConfirmedIdentity } from '#auth/external/link_identity'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

export interface Challenge {
  user: User
  /** `password`, or the name of the provider. */
  method: string
  identity?: ConfirmedIdentity
}

interface NewChallenge extends Challenge {
  device: RequestSource
}

/** Returns the token, which cannot be read later because only its hash is stored. */
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
    tries_left: limits.challengeTries,
    expires_at: Date.now() + settings.challengeTtlMs,
  })
  return { mfaToken, expiresIn: settings.challengeTtlMs / 1_000 }
}

function selectOpenChallenges(mfaToken: string) {
  return db
    .from('mfa_challenges')
    .where('token_hash', hashToken(mfaToken))
    .where('expires_at', '>', Date.now())
    .where('tries_left', '>', 0)
}

/** A password change ends the challenges of the user. @throws E_INVALID_MFA_TOKEN */
export async function getChallengeOrFail(mfaToken: string): Promise<Challenge> {
  const row = await selectOpenChallenges(mfaToken).first()
  const user = row && (await User.findWithConfiguration(row.user_id))
  const isUnchanged = user?.passwordChangedAt?.toMillis() === Number(row?.password_changed_at)
  if (!user || !isUnchanged) throw new E_INVALID_MFA_TOKEN()
  const identity = row.identity ? JSON.parse(row.identity) : undefined
  return { user, method: row.method, identity }
}

/** Returns false for an administrator whose only second step is a passkey. */
export async function acceptsCodes(mfaToken: string) {
  const row = await selectOpenChallenges(mfaToken).first()
  const user = row && (await User.find(row.user_id))
  return !user || Boolean(user.mfaEnabled)
}

/** Counts before the verification, so that parallel requests cannot try more codes. */
export async function consumeTryOrFail(mfaToken: string) {
  const taken = await selectOpenChallenges(mfaToken).decrement('tries_left', 1)
  if (Number(taken) !== 1) throw new E_INVALID_MFA_TOKEN()
}

/** Returns true for the one caller who deleted the challenge. */
export async function closeChallenge(mfaToken: string, trx: Transaction) {
  const removed = await trx.from('mfa_challenges').where('token_hash', hashToken(mfaToken)).delete()
  return Number(removed) === 1
}

/** Marks all challenges of a client: after a second step, it has abandoned none of them. */
export async function answerChallenges(userId: string, { ip }: RequestSource, trx: Transaction) {
  await trx.from('mfa_challenges').where({ user_id: userId, ip }).update({ is_answered: true })
}

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
