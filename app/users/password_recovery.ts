import db from '@adonisjs/lucid/services/db'
import { recordAudit } from '#audit/trail'
import { queuePasswordResetMail, queueVerificationMailFor } from '#mails/address_mails'
import type { Actor } from '#audit/actor'

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

/** Mails the link that verifies the address once more, if anybody has it and it is not verified. */
export function requestVerification(email: string) {
  return db.transaction((trx) => queueVerificationMailFor(email, trx))
}
