import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { markVerificationLinks, markVerifiedLink } from '#auth/tokens/issue_one_time_token'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { record } from '#events/record'
import { anonymousActor, userActor, type Actor } from '#audit/actor'
import { deleteUser } from './delete_user.ts'
import { confirmEmailChange } from './email_change.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

const ADDRESS_TOKENS: OneTimePurpose[] = ['email_verification', 'email_change']

export function findAddressToken(token: string) {
  return findLiveToken(token, ADDRESS_TOKENS)
}

/** Whether the link of a token was used and its user has a verified address. */
export async function hasVerified(token: string) {
  const link = await findLiveToken(token, ['email_verified'])
  const user = link && (await User.find(link.userId))
  return Boolean(user?.isEmailVerified)
}

export function isConfirmable(user: User, link: { purpose: string; email: string | null }) {
  if (link.purpose !== 'email_change') return true
  return user.currentPendingEmail === link.email && !user.isDisabled
}

/** @throws E_INVALID_TOKEN, also for a previous address; E_EMAIL_TAKEN if another user has the pending one */
export async function verifyEmail(token: string, from: RequestSource) {
  const live = await findAddressToken(token)
  if (!live) throw new E_INVALID_TOKEN()
  return db.transaction(async (trx) => {
    /** The user is locked before the token, as everywhere: the other order could deadlock. */
    const user = await User.lockForUpdate(live.userId, trx)
    const redeemed = await redeemOneTimeToken(token, ADDRESS_TOKENS, trx)
    if (!user || !redeemed) throw new E_INVALID_TOKEN()
    const isChange = redeemed.purpose === 'email_change'
    const proved = { email: redeemed.email!, actor: userActor(user.id, from) }
    if (isChange) await confirmEmailChange(user, proved, trx)
    else await markVerified(user, proved, trx)
    await markVerificationLinks(user.id, trx)
    await markVerifiedLink(user.id, token, trx)
    return User.findOrFail(user.id, { client: trx })
  })
}

/** Accepts the current or pending address. @throws E_INVALID_TOKEN for another, E_EMAIL_TAKEN */
export async function markAddressVerified(
  user: User,
  proved: { email: string; actor: Actor },
  trx: Transaction
) {
  const isChange = user.currentPendingEmail === proved.email
  if (isChange) await confirmEmailChange(user, proved, trx)
  else await markVerified(user, proved, trx)
  await markVerificationLinks(user.id, trx)
}

export async function markVerified(
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
 * Deletes the account, because confirming it would leave the owner of the mailbox a password that
 * the attacker knows (pre-hijacking).
 * @throws E_INVALID_TOKEN, also for a user who was ever verified, or whom an administrator locked
 * or disabled
 */
export async function declineAccount(token: string, from: RequestSource) {
  const link = await findLiveToken(token, ['email_verification'])
  if (!link) throw new E_INVALID_TOKEN()
  const assertDeletable = (user: User) => {
    if (!isDeclinable(user, link)) throw new E_INVALID_TOKEN()
  }
  return deleteUser(link.userId, anonymousActor(from), { assertDeletable })
}

/** The owner of the mailbox may have registered after all and must not escape a lock by an administrator. */
export function isDeclinable(user: User, link: { email: string | null }) {
  return user.wasNeverVerified && user.email === link.email && !user.isBarredByAdmin
}
