import throttles from '#config/throttles'
import { hashEmail } from '#auth/email'
import { ipPrefix } from './ip_prefix.ts'
import { clear, consume } from './rate_limit.ts'
import type { Counted } from './attempts.ts'

/*
 | Throttles that count by e-mail or user. The key of each is built here and nowhere else,
 | or in `mail_budget.ts` for mails, so that two places cannot count the same thing apart.
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
