import User from '#models/user'
import { clearAttempts } from '#auth/lockout/attempts'
import { voidOneTimeTokens } from '#auth/tokens/void_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { E_INVALID_TOKEN } from '#auth/errors'
import { isUniqueViolation } from '#database/unique_violation'
import { record } from '#events/record'
import { queueMail } from '#mails/queue/queue_mail'
import type { Actor } from '#audit/actor'
import { E_EMAIL_TAKEN } from './errors.ts'
import type { Transaction } from '#database/transaction'

/* An unproved address must not enter tokens, so `users.pending_email` holds it until its link is used. */

/** The previous mailbox must not keep access, so these links stop working with a new address. */
export const PURPOSES_OF_ADDRESS: OneTimePurpose[] = [
  'password_reset',
  'password_change',
  'invitation',
  'email_verification',
]

/** @throws E_EMAIL_TAKEN for the address of a user; the throttle of changes bounds such probes */
export async function assertFree(email: string, trx: Transaction) {
  if (await User.findBy('email', email, { client: trx })) throw new E_EMAIL_TAKEN()
}

/** The mail worker checks whether the address is taken: here, timing would reveal accounts. */
export function queueEmailChangeMail(
  { userId, email }: { userId: string; email: string },
  trx: Transaction
) {
  return queueMail({ kind: 'email_change', recipient: email, userId, contents: {} }, trx)
}

/**
 * The event comes first, while the row still says whether the previous address was verified.
 * @throws E_INVALID_TOKEN if the address is no longer pending or the user disabled, E_EMAIL_TAKEN
 */
export async function confirmEmailChange(
  user: User,
  { email, actor }: { email: string; actor: Actor },
  trx: Transaction
) {
  if (user.currentPendingEmail !== email || user.isDisabled) throw new E_INVALID_TOKEN()
  const context = { newEmail: email, askedAt: user.pendingEmailAt!.toUTC().toISO()! }
  const details = { email: { before: user.email, after: email } }
  await record(trx, { type: 'email.changed', user, actor, details, context })
  await moveToVerifiedAddress(user, email, trx)
}

/** Attempts counted on the address must not lock its new user. @throws E_EMAIL_TAKEN by the unique index */
export async function moveToVerifiedAddress(user: User, email: string, trx: Transaction) {
  const now = Date.now()
  const verified = { email, email_verified_at: now, email_changed_at: now }
  try {
    await trx
      .from('users')
      .where('id', user.id)
      .update({ ...verified, pending_email: null, pending_email_at: null, updated_at: now })
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
  await clearAttempts({ email }, trx)
  await voidOneTimeTokens(user.id, [...PURPOSES_OF_ADDRESS, 'email_change'], trx)
}
