import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import User from '#models/user'
import { E_INVALID_MFA_TOKEN } from '#auth/errors'
import { hashToken } from '#auth/tokens/hash_token'
import type { Transaction } from '#database/transaction'

/** A sign-in whose first step succeeded, and how. */
export interface Challenge {
  user: User
  /** `password`, or the external provider. */
  method: string
}

/** Opens the second step: the token is handed out once and kept as a hash. */
export async function openChallenge(user: User, method: string) {
  const mfaToken = randomBytes(32).toString('base64url')
  await db.table('mfa_challenges').insert({
    token_hash: hashToken(mfaToken),
    user_id: user.id,
    method,
    password_changed_at: user.passwordChangedAt!.toMillis(),
    tries_left: settings.challengeTries,
    expires_at: Date.now() + settings.challengeTtlMs,
  })
  return { mfaToken, expiresIn: settings.challengeTtlMs / 1_000 }
}

function live(mfaToken: string) {
  return db
    .from('mfa_challenges')
    .where('token_hash', hashToken(mfaToken))
    .where('expires_at', '>', Date.now())
    .where('tries_left', '>', 0)
}

/**
 * The sign-in that a token stands for. A password that was changed since then ends it.
 *
 * @throws E_INVALID_MFA_TOKEN
 */
export async function findChallengeOrFail(mfaToken: string): Promise<Challenge> {
  const row = await live(mfaToken).first()
  const user = row && (await User.find(row.user_id))
  const isUnchanged = user?.passwordChangedAt?.toMillis() === Number(row?.password_changed_at)
  if (!user || !isUnchanged) throw new E_INVALID_MFA_TOKEN()
  return { user, method: row.method }
}

/** Takes one of the tries of a challenge, before the code is looked at. */
export async function takeTryOrFail(mfaToken: string) {
  const taken = await live(mfaToken).decrement('tries_left', 1)
  if (Number(taken) !== 1) throw new E_INVALID_MFA_TOKEN()
}

/** Ends a challenge with the session that it leads to: true for the one caller who did. */
export async function closeChallenge(mfaToken: string, trx: Transaction) {
  const removed = await trx.from('mfa_challenges').where('token_hash', hashToken(mfaToken)).delete()
  return Number(removed) === 1
}
