import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { hashPassword } from '#auth/passwords/password_hash'
import { endSessions } from '#auth/sessions/sessions'
import { clearAttempts } from '#auth/lockout/attempts'
import { removeIdentities } from './identities.ts'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { E_INVALID_TOKEN } from '#auth/errors'
import { recordAudit } from '#audit/trail'
import { userActor, type Actor } from '#audit/actor'
import {
  PASSWORD_TOKENS,
  storePassword,
  queuePasswordChangedMail,
} from '#auth/passwords/store_password'
import { queuePasswordResetMail } from '#mails/address_mails'
import type { Transaction } from '#database/transaction'

/*
 | What anybody may ask for with nothing but an address. Nobody looks whether a user
 | has it: that is done when the mail is composed, where no answer waits for it.
 */

/** Mails a link to set a new password, if anybody has the address. */
export function requestPasswordReset(
  email: string,
  from: { ip: string; userAgent: string | null }
) {
  return db.transaction((trx) => queuePasswordResetMail(email, from, trx))
}

/** Mails the same on behalf of its owner. */
export function sendPasswordReset(user: { id: string; email: string }, actor: Actor) {
  return db.transaction(async (trx) => {
    await queuePasswordResetMail(user.email, null, trx)
    await recordAudit({ action: 'password.reset_requested', actor, targetId: user.id }, trx)
  })
}

/** The user whose password a token sets, while it does. */
export function findPasswordToken(token: string) {
  return findLiveToken(token, PASSWORD_TOKENS)
}

/**
 * Sets the password that a token allows to set: a forgotten one, the first of an invited
 * user, or one in the place of a temporary one. Whoever could read the mailbox owns the
 * address, so a link from it verifies it, and what was linked before goes; every session
 * ends and a lock is lifted, but a second factor stays.
 *
 * @throws E_INVALID_TOKEN for a token that was used, replaced, never issued or has expired
 */
export async function resetPassword(
  { token, password }: { token: string; password: string },
  from: { ip: string; userAgent: string | null }
) {
  if (!(await findPasswordToken(token))) throw new E_INVALID_TOKEN()
  const hash = await hashPassword(password)
  return db.transaction(async (trx) => {
    const redeemed = await redeemOneTimeToken(token, PASSWORD_TOKENS, trx)
    const user = redeemed && (await User.lockForUpdate(redeemed.userId, trx))
    if (!user || redeemed.email !== user.email) throw new E_INVALID_TOKEN()
    await storePassword(user, { hash, voids: PASSWORD_TOKENS }, trx)
    await trx.from('users').where('id', user.id).update({ locked_until: null })
    await clearAttempts(user.email, trx)
    const endedSessions = await endSessions(user.id, { trx })
    const isProof = redeemed.purpose !== 'password_change' && !user.isEmailVerified
    const unlinked = isProof ? await proveAddress(user.id, trx) : []
    await queuePasswordChangedMail(user, trx)
    const actor = userActor(user.id, from)
    const details = { endedSessions, ...(unlinked.length > 0 && { unlinked }) }
    await recordAudit({ action: 'password.reset', actor, targetId: user.id, details }, trx)
    return { user, endedSessions }
  })
}

/**
 * Verifies the address. Until then anybody may have made the user: what they linked
 * leads into it no more, and no device of theirs counts as known.
 *
 * @returns the providers that were unlinked
 */
async function proveAddress(userId: string, trx: Transaction): Promise<string[]> {
  await trx.from('users').where('id', userId).update({ email_verified_at: Date.now() })
  const identities = await trx.from('identities').where('user_id', userId).select('provider')
  await removeIdentities(userId, {}, trx)
  await trx.from('external_logins').where('user_id', userId).delete()
  await trx.from('known_devices').where('user_id', userId).delete()
  return identities.map(({ provider }) => provider)
}
