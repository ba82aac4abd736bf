import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { queueMail, queueVerificationMailFor } from '#mails/queue_mail'
import { takeStrangerMail } from '#auth/lockout/throttle'
import { E_INVALID_TOKEN } from '#auth/errors'
import { findLiveToken, redeemOneTimeToken, voidOneTimeTokens } from '#auth/tokens/one_time_tokens'
import { recordAudit } from '#audit/trail'
import { anonymousActor, userActor } from '#audit/actor'
import { deleteUser } from './delete_user.ts'
import type { Origin } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/**
 * Verifies the address that a link was mailed to. If the user has another address by now,
 * the link to the old one does not verify the new one.
 */
export async function verifyEmail(token: string, from: Origin) {
  return db.transaction(async (trx) => {
    const redeemed = await redeemOneTimeToken(token, ['email_verification'], trx)
    if (!redeemed) throw new E_INVALID_TOKEN()
    const verified = await trx
      .from('users')
      .where('id', redeemed.userId)
      .where('email', redeemed.email!)
      .update({ email_verified_at: Date.now(), updated_at: Date.now() })
    if (Number(verified) !== 1) throw new E_INVALID_TOKEN()
    await voidOneTimeTokens(redeemed.userId, ['email_verification'], trx)
    const actor = userActor(redeemed.userId, from)
    await recordAudit({ action: 'email.verified', actor, targetId: redeemed.userId }, trx)
    return User.findOrFail(redeemed.userId, { client: trx })
  })
}

/**
 * “I did not make this account”: removes a user whom somebody else registered with the
 * address. Confirming instead would leave the owner of the address in an account whose
 * password the attacker knows (pre-hijacking).
 *
 * @throws E_INVALID_TOKEN, also for a user with an address that was ever verified
 */
export async function declineAccount(token: string, from: Origin) {
  const link = await findLiveToken(token, ['email_verification'])
  if (!link) throw new E_INVALID_TOKEN()
  const assertDeletable = (user: User) => {
    if (!isDeclinable(user, link)) throw new E_INVALID_TOKEN()
  }
  return deleteUser(link.userId, anonymousActor(from), { assertDeletable })
}

/** Whether the account of a verification link may be removed by the owner of its mailbox. */
export function isDeclinable(user: User, link: { email: string | null }) {
  return user.wasNeverVerified && user.email === link.email
}

/** Mails the verification link again, if a user has the address and has not verified it. */
export function requestVerification(email: string) {
  return db.transaction((trx) => queueVerificationMailFor(email, trx))
}

/** The same for a client without a session, who may mail an address only so often. */
export async function requestVerificationByStranger(email: string) {
  if (await takeStrangerMail(email)) await requestVerification(email)
}

export function queueVerificationMail(user: User, trx: Transaction) {
  const recipient = user.email
  return queueMail({ kind: 'email_verification', recipient, userId: user.id, contents: {} }, trx)
}
