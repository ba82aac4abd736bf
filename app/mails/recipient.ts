import User from '#models/user'
import { isPlaceholder } from '#models/email'
import { TEMPLATES } from '#mails/templates/templates'
import { mailServerTrialSince } from '#settings/values/current'
import type { TemplateName } from '#mails/templates/contents'
import type { MailRow } from './mail_row.ts'
import type { QueuedMail } from '#mails/queue/queued_mail'
import type { Transaction } from '#database/transaction'

export async function hasRecipient(row: MailRow) {
  return isWanted(row, await findUser(row))
}

/** From then on, a mail to an address belongs to the user who is found here. */
export async function findRecipient(row: MailRow, trx: Transaction) {
  const user = await findUser(row, trx)
  if (user && !row.user_id) {
    await trx.from('mails').where('id', row.id).update({ user_id: user.id })
  }
  return user
}

async function findUser({ kind, recipient, user_id: userId }: MailRow, client?: Transaction) {
  if (TEMPLATES[kind].isForAddress) return User.findBy('email', recipient, { client })
  return userId ? User.find(userId, { client }) : null
}

/** Another user may own an unproved address, and must learn nothing of the account. */
function accepts(kind: TemplateName, user: User) {
  return Boolean(TEMPLATES[kind].provesAddress) || user.isEmailVerified
}

/** Mails to an address are checked later (`isWanted`): their request must not look up a user. */
export async function isAcceptable({ kind, recipient, userId }: QueuedMail, trx: Transaction) {
  if (isPlaceholder(recipient)) return false
  const { isForAddress, provesAddress, outlivesUser } = TEMPLATES[kind]
  if (isForAddress || provesAddress || outlivesUser) return true
  const user = userId === null ? null : await User.find(userId, { client: trx })
  return user !== null && user.email === recipient && accepts(kind, user)
}

const STILL_WANTED: Partial<Record<TemplateName, (user: User) => boolean>> = {
  password_reset: (user) => !user.isDisabled && !(user.isAdmin && mailServerTrialSince() !== null),
  email_verification: (user) => !user.isDisabled && !user.isEmailVerified,
  invitation: (user) => !user.isDisabled && !user.password,
}

function isUnproved(address: string, user: User) {
  return address === user.currentPendingEmail || (address === user.email && !user.isEmailVerified)
}

/** The user may have changed since: a link must not permit what is refused by now. */
export function isWanted({ kind, recipient }: MailRow, user: User | null) {
  if (TEMPLATES[kind].outlivesUser) return true
  if (!user) return false
  if (kind === 'email_change') return user.currentPendingEmail === recipient && !user.isDisabled
  if (kind === 'address_code') return isUnproved(recipient, user) && !user.isDisabled
  if (kind === 'former_address') return user.email !== recipient
  if (!TEMPLATES[kind].isForAddress) return true
  return accepts(kind, user) && (STILL_WANTED[kind]?.(user) ?? true)
}
