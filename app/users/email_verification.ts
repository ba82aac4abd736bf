import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { queueVerificationMail } from '#mails/queue/queue_mail'
import { E_INVALID_TOKEN, E_UNAUTHORIZED } from '#auth/errors'
import { markVerificationLinks } from '#auth/tokens/issue_one_time_token'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { record } from '#events/record'
import { anonymousActor, userActor, type Actor } from '#audit/actor'
import { deleteUser } from './delete_user.ts'
import { confirmEmailChange, queueEmailChangeMail } from './email_change.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/** Tokens of links that prove an address: the present one, or a pending one. */
const ADDRESS_TOKENS: OneTimePurpose[] = ['email_verification', 'email_change']

/** The user id and address of a token that can still prove an address, or null. */
export function findAddressToken(token: string) {
  return findLiveToken(token, ADDRESS_TOKENS)
}

/** Whether the link of a token has done its work: its user has a confirmed address. */
export async function hasVerified(token: string) {
  const link = await findLiveToken(token, ['email_verified'])
  const user = link && (await User.find(link.userId))
  return Boolean(user?.isEmailVerified)
}

/** Whether the pending address of a link is still pending; any other link has no such end. */
export function isConfirmable(user: User, link: { purpose: string; email: string | null }) {
  if (link.purpose !== 'email_change') return true
  return user.presentPendingEmail === link.email && !user.isDisabled
}

/**
 * Verifies the address that a link was mailed to, and makes it the user's if it was pending.
 * If the user has another address by now, the link to the old one does not verify it.
 *
 * @throws E_INVALID_TOKEN, and E_EMAIL_TAKEN for a pending address that another user has by now
 */
export async function verifyEmail(token: string, from: RequestSource) {
  const live = await findAddressToken(token)
  if (!live) throw new E_INVALID_TOKEN()
  return db.transaction(async (trx) => {
    /** The user before the token, as everywhere: the other order could deadlock. */
    const user = await User.lockForUpdate(live.userId, trx)
    const redeemed = await redeemOneTimeToken(token, ADDRESS_TOKENS, trx)
    if (!user || !redeemed) throw new E_INVALID_TOKEN()
    const isChange = redeemed.purpose === 'email_change'
    const proved = { email: redeemed.email!, actor: userActor(user.id, from) }
    if (isChange) await confirmEmailChange(user, proved, trx)
    else await markVerified(user, proved, trx)
    await markVerificationLinks(user.id, token, trx)
    return User.findOrFail(user.id, { client: trx })
  })
}

async function markVerified(
  user: User,
  { email, actor }: { email: string; actor: Actor },
  trx: Transaction
) {
  if (user.email !== email) throw new E_INVALID_TOKEN()
  const now = { email_verified_at: Date.now(), updated_at: Date.now() }
  await trx.from('users').where('id', user.id).update(now)
  await record(trx, { type: 'email.verified', user, actor })
}

/**
 * “I did not make this account”: removes a user whom somebody else registered with the
 * address. Confirming instead would leave the owner of the address in an account whose
 * password the attacker knows (pre-hijacking).
 *
 * @throws E_INVALID_TOKEN, also for a user with an address that was ever verified, and for one
 * whom an administrator has disabled or locked
 */
export async function declineAccount(token: string, from: RequestSource) {
  const link = await findLiveToken(token, ['email_verification'])
  if (!link) throw new E_INVALID_TOKEN()
  const assertDeletable = (user: User) => {
    if (!isDeclinable(user, link)) throw new E_INVALID_TOKEN()
  }
  return deleteUser(link.userId, anonymousActor(from), { assertDeletable })
}

/**
 * Whether the account of a verification link may be removed by the owner of its mailbox. They
 * may have made it after all, and must not get rid of what an administrator has done to it.
 */
export function isDeclinable(user: User, link: { email: string | null }) {
  const isBarred = user.isDisabled || user.presentLockKind === 'administrator'
  return user.wasNeverVerified && user.email === link.email && !isBarred
}

/** Mails the link again that a user waits for: that of the pending address, or of the present one. */
export async function requestVerificationOf(userId: string) {
  const user = await User.find(userId)
  if (!user) throw new E_UNAUTHORIZED()
  const { email, presentPendingEmail: pendingEmail } = user
  await db.transaction((trx) =>
    pendingEmail
      ? queueEmailChangeMail({ userId, email: pendingEmail }, trx)
      : queueVerificationMail(email, { budget: 'verification' }, trx)
  )
}

/** Mails the verification link again on behalf of a client without a session. */
export function requestVerificationByStranger(email: string) {
  return db.transaction((trx) => queueVerificationMail(email, { budget: 'verification' }, trx))
}
