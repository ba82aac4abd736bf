import limits from '#config/limits'
import { throttleAddress } from './address_throttle.ts'
import { hashEmail } from './count_keys.ts'
import { consume, tryConsume } from './rate_limit.ts'
import type { Actor } from '#audit/actor'

/** A budget for each mail that an attacker can cause: a flood of one kind stops no other. */
export type MailBudget =
  | 'reset'
  | 'verification'
  | 'address_code'
  | 'registration'
  | 'lock'
  | 'code_lock'
  | 'sign_in'
  | 'new_address'
  | 'former_address'

interface CountedMail {
  recipient: string
  budget: MailBudget | null
  sender: string | null
}

/**
 * Drops mails silently: a refusal would show an attacker that others asked before. Call it outside
 * of a transaction: on SQLite the counter waits for the writer.
 */
export async function countMail({ recipient, budget, sender }: CountedMail) {
  const key = `{${hashEmail(recipient)}}`
  const isWithinAll = await tryConsume(`mail:${key}`, limits.mailRecipient)
  if (budget === null) return true
  if (budget === 'new_address') return isWithinSenders(key, sender)
  const own = budget === 'former_address' ? limits.mailPreviousAddress : limits.mailBudget
  const isWithinOwn = await tryConsume(`mail-${budget}:${key}`, own)
  return isWithinAll || isWithinOwn
}

// Counts the sender first: one sender cannot use up the share of another or of all.
async function isWithinSenders(key: string, sender: string | null) {
  const isWithinOwn = await tryConsume(`mail-new_address:${key}:${sender}`, limits.mailSender)
  return isWithinOwn && tryConsume(`mail-new_address:${key}`, limits.mailSenders)
}

/**
 * A leaked key could invite and delete the owner of a mailbox without end. Operators have no limit.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function throttleAdminMail({ id }: Actor, recipient: string) {
  if (id) await consume(`admin-mail:{${hashEmail(recipient)}}`, limits.adminMails)
}

/** Operators have no limit, and retry all failed mails. @throws E_TOO_MANY_REQUESTS */
export async function throttleMailRetries({ id }: Actor) {
  if (id) await consume(`mail-retry:{${id}}`, limits.mailRetries)
}

export async function throttleOwnMail(ip: string, userId: string) {
  await throttleAddress('mail', ip)
  await consume(`own-mail:{${userId}}`, limits.mailRecipient)
}
