import { PENDING_EMAIL_TTL_MS } from '#models/user'

export type OneTimePurpose =
  | 'password_reset'
  | 'password_change'
  | 'email_verification'
  | 'email_verified'
  | 'email_change'
  | 'address_code'
  | 'email_change_undo'
  | 'invitation'
  | 'sign_in_report'

/** In milliseconds. */
export const ONE_TIME_TTL_MS: Record<OneTimePurpose, number> = {
  /** Short: an attacker who gets into the mailbox later must find no link that works. */
  password_reset: 30 * 60_000,
  /** Returned at a sign-in with an administrator's password; never mailed. */
  password_change: 30 * 60_000,
  email_verification: 24 * 3_600_000,
  /** The link of a confirmed address opens nothing, and its page says “confirmed”. */
  email_verified: 7 * 24 * 3_600_000,
  /** The time for which the sign-in to the application waits. */
  address_code: 30 * 60_000,
  email_change: PENDING_EMAIL_TTL_MS,
  /** Long enough for a mailbox that is not read at the weekend. */
  email_change_undo: 72 * 3_600_000,
  invitation: 7 * 24 * 3_600_000,
  /** Long enough for a mail that is read in the morning; it also ends with its session. */
  sign_in_report: 24 * 3_600_000,
}
