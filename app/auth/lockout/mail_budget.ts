import limits from '#config/limits'
import { throttleAddress } from './address_throttle.ts'
import { hashEmail } from './count_keys.ts'
import { consume, isWithin } from './rate_limit.ts'

/**
 * Of a mail that others than its owner can cause: strangers a reset, a verification mail, a
 * registration or a lock, whoever knows the password a lock by codes or a sign-in, and a
 * user who wants to have the address its confirmation, and a thief of an account the news to
 * its former address. Apart, so that mails of one kind
 * cannot keep another kind away: verification mails the news of a lock, say.
 */
export type MailBudget =
  | 'reset'
  | 'verification'
  | 'registration'
  | 'lock'
  | 'code_lock'
  | 'sign_in'
  | 'new_address'
  | 'former_address'

/** A mail as it is counted. */
interface CountedMail {
  recipient: string
  /** Null for a mail that is always sent. */
  budget: MailBudget | null
  /** The user on whose behalf it is sent; null where a stranger asked. */
  sender: string | null
}

/**
 * Counts a mail against its recipient. Beyond the limit of all their mails only the first of
 * each budget are sent, and nobody is told: a refusal would let strangers see that others
 * asked before. The counts belong to the address, so that they outlive a deleted user. Call it
 * for what is going to be sent, and outside of a transaction: on SQLite the counter waits for
 * the writer.
 *
 * @returns whether the mail may be sent; always without a budget
 */
export async function countMail({ recipient, budget, sender }: CountedMail) {
  const key = `{${hashEmail(recipient)}}`
  const isWithinAll = await isWithin(`mail:${key}`, limits.mailRecipient)
  if (budget === null) return true
  if (budget === 'new_address') return isWithinSenders(key, sender)
  const own = budget === 'former_address' ? limits.mailFormerAddress : limits.mailBudget
  const isWithinOwn = await isWithin(`mail-${budget}:${key}`, own)
  return isWithinAll || isWithinOwn
}

/**
 * Counts a mail that any user can have sent to an address: by its sender first, so that one
 * sender can neither use up the share of another nor that of all.
 */
async function isWithinSenders(key: string, sender: string | null) {
  const isWithinOwn = await isWithin(`mail-new_address:${key}:${sender}`, limits.mailSender)
  return isWithinOwn && isWithin(`mail-new_address:${key}`, limits.mailSenders)
}

/** Counts a mail that users ask for themselves. Strangers cannot use this limit up. */
export async function throttleOwnMail(ip: string, userId: string) {
  await throttleAddress('mail', ip)
  await consume(`own-mail:{${userId}}`, limits.mailRecipient)
}
