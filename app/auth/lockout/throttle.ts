import { isDependencyDown } from '#exceptions/dependency_failures'
import limits from '#config/limits'
import { hashAddress, hashEmail } from './count_keys.ts'
import { clear, consume, uncount } from './rate_limit.ts'
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
export async function throttleLogin(ip: string, counted: Counted) {
  await consume(loginKey(ip, counted), limits.login)
}

export function uncountLogin(ip: string, counted: Counted) {
  return uncount(loginKey(ip, counted), limits.login)
}

function loginKey(ip: string, { email, knownDevice }: Counted) {
  const address = hashAddress(ip)
  const subject = knownDevice ? `device:${knownDevice.id}` : email
  const isByAddress = limits.login.key === 'ip' && !knownDevice
  return `login:${isByAddress ? address : `${address}:{${hashEmail(subject)}}`}`
}

/** Counts a current password of a user before it is verified. */
export async function throttleCurrentPassword(userId: string) {
  await consume(passwordCheckKey(userId), limits.passwordCheck)
  await consume(currentPasswordKey(userId), limits.currentPassword)
}

export async function uncountCurrentPassword(userId: string) {
  await uncount(passwordCheckKey(userId), limits.passwordCheck)
  await uncount(currentPasswordKey(userId), limits.currentPassword)
}

/** Forgets the wrong passwords that a right one followed. */
export function clearCurrentPasswordThrottle(userId: string) {
  return clear(currentPasswordKey(userId), limits.currentPassword)
}

/** Counts a change of e-mail against the user. */
export function throttleAddressChange(userId: string) {
  return consume(`address-change:{${userId}}`, limits.addressChange)
}

/** Counts a change that users make of themselves, through the API and the pages alike. */
export function throttleProfileChange(userId: string) {
  return consume(`profile-change:{${userId}}`, limits.profileChange)
}

/** Counts a session that a user starts with an application. */
export function throttleNewGrants(userId: string) {
  return consume(`new-grant:{${userId}}`, limits.newGrant)
}

/** Counts a session that an application starts for its service account. */
export function throttleServiceSessions(clientId: string) {
  return consume(`service-session:{${clientId}}`, limits.serviceSession)
}

/**
 * Counts an access token that is revoked against its session. A store that cannot count, such as
 * a full one, stops no revocation: to refuse it would leave the token good.
 */
export async function throttleRevocations(sessionId: string) {
  try {
    await consume(`revocation:{${sessionId}}`, limits.revocation)
  } catch (error) {
    if (!isDependencyDown(error)) throw error
  }
}

export function throttleNewKeys(userId: string) {
  return consume(`new-api-key:{${userId}}`, limits.newApiKey)
}

export function throttleUploads(userId: string) {
  return consume(`upload:{${userId}}`, limits.upload)
}

export function throttleExport(userId: string) {
  return consume(`account-export:{${userId}}`, limits.profileExport)
}

/** Counts a multi-factor code that a user gives within a session. */
export function throttleCode(userId: string) {
  return consume(codeKey(userId), limits.code)
}

export function releaseCodeAttempt(userId: string) {
  return uncount(codeKey(userId), limits.code)
}

/** Forgets the wrong codes that a right one followed. */
export function clearCodeThrottle(userId: string) {
  return clear(codeKey(userId), limits.code)
}

function passwordCheckKey(userId: string) {
  return `password-check:{${userId}}`
}

function currentPasswordKey(userId: string) {
  return `current-password:{${userId}}`
}

function codeKey(userId: string) {
  return `mfa-code:{${userId}}`
}
