import type { MailBudget } from '#auth/lockout/mail_budget'
import type { Transaction } from '#database/transaction'
import type { RemovedMethods } from '#events/details'
import { queueMailToAddress } from './queue_mail.ts'

interface ResetMail {
  /** For the trail; null if the caller records it. */
  from: { ip: string; userAgent: string | null } | null
  removed?: RemovedMethods
  /** Null if only the owner or an administrator can cause the mail. */
  budget: MailBudget | null
}

export function queuePasswordResetMail(
  recipient: string,
  { from, removed = {}, budget }: ResetMail,
  trx: Transaction
) {
  const contents = { from, removed }
  return queueMailToAddress({ kind: 'password_reset', recipient, contents, budget }, trx)
}

export function queueAccountExistsMail(recipient: string, trx: Transaction) {
  const mail = { kind: 'account_exists' as const, recipient, contents: {} }
  return queueMailToAddress({ ...mail, budget: 'registration' }, trx)
}

/**
 * @param budget null if only an administrator can cause the mail: a user with a session may have
 * registered the address of another user
 */
export function queueVerificationMail(
  recipient: string,
  { budget }: { budget: MailBudget | null },
  trx: Transaction
) {
  return queueMailToAddress({ kind: 'email_verification', recipient, contents: {}, budget }, trx)
}
