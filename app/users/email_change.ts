import User from '#models/user'
import { clearAttempts } from '#auth/lockout/attempts'
import { voidOneTimeTokens } from '#auth/tokens/one_time_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { E_INVALID_TOKEN } from '#auth/errors'
import { isUniqueViolation } from '#database/unique_violation'
import { record } from '#events/record'
import { queueMail } from '#mails/queue/queue_mail'
import type { Actor } from '#audit/actor'
import { E_EMAIL_TAKEN } from './errors.ts'
import type { Transaction } from '#database/transaction'

/*
 | Users who change their own address keep the present one until the link mailed to the new
 | one is used: an address that nobody has proved must not get into tokens, nor keep its
 | owner from registering. Until then it is `users.pending_email`, which reserves nothing
 | and lapses with its first link: a link that is mailed again is good for no longer.
 */

/** Links in mails to an address stop working when the user gets another address. */
export const PURPOSES_OF_ADDRESS: OneTimePurpose[] = [
  'password_reset',
  'password_change',
  'invitation',
  'email_verification',
]

/** @throws E_EMAIL_TAKEN for the address of a user, which the throttle of changes bounds */
export async function assertFree(email: string, trx: Transaction) {
  if (await User.findBy('email', email, { client: trx })) throw new E_EMAIL_TAKEN()
}

/**
 * Mails the link that confirms a pending address; the link of an earlier mail stops working.
 * Whether another user has the address is asked when the mail is composed
 * (`app/mails/templates/taken_address.ts`): asked here, the time would tell who has an account.
 */
export function queueEmailChangeMail(
  { userId, email }: { userId: string; email: string },
  trx: Transaction
) {
  return queueMail({ kind: 'email_change', recipient: email, userId, contents: {} }, trx)
}

/**
 * Makes the pending address, whose link was used, the address of a user whose row is locked. The
 * event comes first: afterwards nothing says whether the user had proved the previous address.
 *
 * @throws E_INVALID_TOKEN if the address is pending no longer or the user disabled, E_EMAIL_TAKEN
 */
export async function confirmEmailChange(
  user: User,
  { email, actor }: { email: string; actor: Actor },
  trx: Transaction
) {
  if (user.presentPendingEmail !== email || user.isDisabled) throw new E_INVALID_TOKEN()
  const context = { newEmail: email, askedAt: user.pendingEmailAt!.toUTC().toISO()! }
  const details = { email: { before: user.email, after: email } }
  await record(trx, { type: 'email.changed', user, actor, details, context })
  await moveToProvenAddress(user, email, trx)
}

/**
 * Gives a user an address that a link has just proved. The unique index decides. What
 * strangers had counted on the address is forgotten, as at a registration.
 *
 * @throws E_EMAIL_TAKEN
 */
export async function moveToProvenAddress(user: User, email: string, trx: Transaction) {
  const now = Date.now()
  const proven = { email, email_verified_at: now, email_changed_at: now }
  try {
    await trx
      .from('users')
      .where('id', user.id)
      .update({ ...proven, pending_email: null, pending_email_at: null, updated_at: now })
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
  await clearAttempts({ email }, trx)
  await voidOneTimeTokens(user.id, [...PURPOSES_OF_ADDRESS, 'email_change'], trx)
}
