import throttles from '#config/throttles'
import { hashEmail } from '#auth/email'
import { throttleAddress } from './address_throttle.ts'
import { ipPrefix } from './ip_prefix.ts'
import { clear, consume, isWithin } from './rate_limit.ts'
import type { Counted } from './attempts.ts'

/*
 | Throttles that count by e-mail or user. The key of each is built here and nowhere else,
 | so that two places cannot count the same thing apart.
 */

/**
 * Counts a login attempt, right or wrong, against the key of `LOGIN_THROTTLE_KEY`, or against
 * the known device that it comes from: strangers behind the same address must not use up what
 * the owner may try. Call it after the throttle of the address, which bounds the keys.
 */
export async function throttleLogin(ip: string, { email, knownDevice }: Counted) {
  const address = ipPrefix(ip)
  const subject = knownDevice ? `device:${knownDevice.id}` : email
  const isByAddress = throttles.loginKey === 'ip' && !knownDevice
  const key = isByAddress ? address : `${address}:{${hashEmail(subject)}}`
  await consume(`login:${key}`, throttles.login)
}

/**
 * Of a mail that others than its owner can cause: strangers a reset, a verification mail, a
 * registration or a lock, whoever knows the password a lock by codes or a sign-in, and a
 * user who wants to have the address its confirmation. Apart, so that mails of one kind
 * cannot keep another kind away: verification mails the news of a lock, say.
 */
export type MailBudget =
  'reset' | 'verification' | 'registration' | 'lock' | 'code_lock' | 'sign_in' | 'new_address'

/**
 * Counts a mail against its recipient. Beyond the limit of all their mails only the first of
 * each budget are sent, and nobody is told: a refusal would let strangers see that others
 * asked before. Call it for what is going to be sent, and outside of a transaction: on
 * SQLite the counter waits for the writer.
 *
 * @returns whether the mail may be sent; always without a budget
 */
export async function countMail(recipient: string, budget: MailBudget | null) {
  const key = `{${hashEmail(recipient)}}`
  const isWithinAll = await isWithin(`mail:${key}`, throttles.mailRecipient)
  if (budget === null) return true
  const isWithinOwn = await isWithin(`mail-${budget}:${key}`, throttles.mailBudget)
  return isWithinAll || isWithinOwn
}

/** Counts a mail that users ask for themselves. Strangers cannot use this limit up. */
export async function throttleOwnMail(ip: string, userId: string) {
  await throttleAddress('mail', ip)
  await consume(`own-mail:{${userId}}`, throttles.mailRecipient)
}

/** Counts a current password of a user before it is verified. */
export async function throttleCurrentPassword(userId: string) {
  await consume(`password-check:{${userId}}`, throttles.passwordCheck)
  await consume(currentPasswordKey(userId), throttles.currentPassword)
}

/** Forgets the wrong passwords that a right one followed. */
export function clearCurrentPasswordThrottle(userId: string) {
  return clear(currentPasswordKey(userId), throttles.currentPassword)
}

/** Counts a change of e-mail against the user. */
export function throttleAddressChange(userId: string) {
  return consume(`address-change:{${userId}}`, throttles.addressChange)
}

/** Counts a change that users make of themselves, through the API and the pages alike. */
export function throttleProfileChange(userId: string) {
  return consume(`profile-change:{${userId}}`, throttles.profileChange)
}

export function throttleNewKeys(userId: string) {
  return consume(`new-api-key:{${userId}}`, throttles.newApiKey)
}

export function throttleUploads(userId: string) {
  return consume(`upload:{${userId}}`, throttles.upload)
}

export function throttleExport(userId: string) {
  return consume(`account-export:{${userId}}`, throttles.profileExport)
}

/** Counts a multi-factor code that a user gives within a session. */
export function throttleCode(userId: string) {
  return consume(codeKey(userId), throttles.code)
}

/** Forgets the wrong codes that a right one followed. */
export function clearCodeThrottle(userId: string) {
  return clear(codeKey(userId), throttles.code)
}

function currentPasswordKey(userId: string) {
  return `current-password:{${userId}}`
}

function codeKey(userId: string) {
  return `mfa-code:{${userId}}`
}
