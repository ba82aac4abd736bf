import { queueMail } from './queue_mail.ts'
import type { Transaction } from '#database/transaction'

/*
 | Mails to an address of which nobody has looked whether it is anybody's. The look is
 | taken when they are composed: until then a known and an unknown address cost the same.
 */

/** Tells the owner of an e-mail, if it has one, that the user was locked. */
export function queueAccountLockedMail(email: string, until: number, trx: Transaction) {
  const lockedUntil = new Date(until).toISOString()
  return queueMail(
    { kind: 'account_locked', recipient: email, userId: null, contents: { lockedUntil } },
    trx
  )
}

/**
 * Mails a link to set a new password.
 *
 * @param from who asked, for the trail; null where the caller records it
 */
export function queuePasswordResetMail(
  email: string,
  from: { ip: string; userAgent: string | null } | null,
  trx: Transaction
) {
  return queueMail(
    { kind: 'password_reset', recipient: email, userId: null, contents: { from } },
    trx
  )
}

/** Mails the link that verifies an address once more, unless it is verified. */
export function queueVerificationMailFor(email: string, trx: Transaction) {
  return queueMail(
    { kind: 'email_verification', recipient: email, userId: null, contents: {} },
    trx
  )
}
