import User from '#models/user'
import type { MailRow } from '#mails/mail_row'
import type { Transaction } from '#database/transaction'

/**
 * The requester must not learn that the address is taken: its owner gets a mail from the same row.
 * An unproved owner gets the verification link, whose page removes an account that an attacker
 * made.
 * @returns null for a free address, and for any other mail
 */
export async function mailToOwner(row: MailRow, trx: Transaction) {
  if (row.kind !== 'email_change' && row.kind !== 'address_code') return null
  const owner = await User.findBy('email', row.recipient, { client: trx })
  if (!owner || owner.id === row.user_id) return null
  const { isEmailVerified, isDisabled } = owner
  /** The owner is told the same, whether a link or a code was requested. */
  const taken = { row: { ...row, kind: 'email_change' as const }, contents: TAKEN }
  if (isEmailVerified) return { ...taken, user: owner }
  /** Another user may own an unproved address, and must not see the name. */
  if (isDisabled) return { ...taken, user: null }
  return { row: { ...row, kind: 'email_verification' as const }, user: owner, contents: {} }
}

const TAKEN = { isTaken: true } as const
