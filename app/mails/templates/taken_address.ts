import User from '#models/user'
import type { MailRow } from '#mails/mail_row'
import type { Transaction } from '#database/transaction'

/**
 * What is written in place of the link to a new address that is another user's by now: whoever
 * asked must not learn it, so that its owner gets a mail from the same row of the queue, which
 * is counted, listed and exported alike.
 *
 * An owner who never proved the address gets their verification link again, as at the sign-up:
 * its page also removes an account that somebody else made with the address.
 *
 * @returns null for a free address, and for any other mail
 */
export async function mailToOwner(row: MailRow, trx: Transaction) {
  if (row.kind !== 'email_change') return null
  const owner = await User.findBy('email', row.recipient, { client: trx })
  if (!owner || owner.id === row.user_id) return null
  const { isEmailVerified, isDisabled } = owner
  if (isEmailVerified) return { row, user: owner, contents: TAKEN }
  /** An address that was not proved may be a stranger's, who is not told the name. */
  if (isDisabled) return { row, user: null, contents: TAKEN }
  return { row: { ...row, kind: 'email_verification' as const }, user: owner, contents: {} }
}

const TAKEN = { isTaken: true } as const
