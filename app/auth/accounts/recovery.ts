import db from '@adonisjs/lucid/services/db'
import { mailPasswordReset, mailVerificationAgain } from '#mails/notices'

/*
 | What anybody may ask for with nothing but an address. Neither looks whether an account
 | has it: that is done when the mail is composed, where no answer waits for it.
 */

/** Mails a link to set a new password, if anybody has the address. */
export function requestPasswordReset(
  email: string,
  from: { ip: string; userAgent: string | null }
) {
  return db.transaction((trx) => mailPasswordReset(email, from, trx))
}

/** Mails the link that verifies the address once more, if anybody has it and it is not verified. */
export function requestVerification(email: string) {
  return db.transaction((trx) => mailVerificationAgain(email, trx))
}
