import { isDependencyDown } from '#exceptions/dependency_failures'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import limits from '#config/limits'
import { isDelegated } from '#auth/callers/caller_kind'
import { hashAddress, hashEmail, hashNetwork } from './count_keys.ts'
import { consumeInSteps } from './limit_in_steps.ts'
import { clear, consume, consumeMany, reserve, release } from './rate_limit.ts'
import type { Actor } from '#audit/actor'
import type { AttemptKey } from './attempts.ts'

// Each key is built in one place, here or in `mail_budget.ts`, so that all routes share a count.

/** Counts a known device separately: an attacker at its address cannot use up its attempts. */
export async function throttleLogin(ip: string, counted: AttemptKey) {
  await consume(loginKey(ip, counted), limits.login)
}

export function releaseLoginAttempt(ip: string, counted: AttemptKey) {
  return release(loginKey(ip, counted), limits.login)
}

function loginKey(ip: string, { email, knownDevice }: AttemptKey) {
  const address = hashAddress(ip)
  const subject = knownDevice ? `device:${knownDevice.id}` : email
  const isByAddress = limits.login.key === 'ip' && !knownDevice
  return `login:${isByAddress ? address : `${address}:{${hashEmail(subject)}}`}`
}

export async function throttleCurrentPassword(userId: string) {
  await consume(passwordCheckKey(userId), limits.passwordCheck)
  await consume(currentPasswordKey(userId), limits.currentPassword)
}

export async function releasePasswordAttempt(userId: string) {
  await release(passwordCheckKey(userId), limits.passwordCheck)
  await release(currentPasswordKey(userId), limits.currentPassword)
}

export function clearCurrentPasswordThrottle(userId: string) {
  return clear(currentPasswordKey(userId), limits.currentPassword)
}

export function throttleAddressChange(userId: string) {
  return consume(`address-change:{${userId}}`, limits.addressChange)
}

export type DelegatedLimit = 'addedUsers' | 'clientChanges' | 'delegatedChanges'

/** A leaked key must not write without limit. @throws E_TOO_MANY_REQUESTS */
export async function throttleDelegated(limit: DelegatedLimit, actor: Actor) {
  if (isDelegated(actor)) await consume(delegatedKey(limit, actor), limits[limit])
}

/** Counts changes that have taken effect: beyond the limit, the next request is refused. */
export async function countDelegated(limit: DelegatedLimit, actor: Actor, points: number) {
  if (!isDelegated(actor)) return
  await consumeMany(delegatedKey(limit, actor), limits[limit], points).catch((error) => {
    if (!(error instanceof E_TOO_MANY_REQUESTS)) throw error
  })
}

function delegatedKey(limit: DelegatedLimit, { name }: Actor) {
  return `${limit}:{${name}}`
}

export function throttleProfileChange(userId: string) {
  return consume(`profile-change:{${userId}}`, limits.profileChange)
}

export function throttleHandleChange(userId: string) {
  return consume(`handle-change:{${userId}}`, limits.handleChange)
}

export function throttleNewGrants(userId: string) {
  return consume(`new-grant:{${userId}}`, limits.newGrant)
}

/** Limits codes that get a refresh token. Most codes write no count. */
export function throttleCodes(userId: string) {
  return consumeInSteps(`authorization-code:{${userId}}`, limits.authorizationCode)
}

/** Limits all other codes, because pages often renew their sign-in. */
export function throttleRenewals(userId: string) {
  return consumeInSteps(`renewal-code:{${userId}}`, limits.renewalCode)
}

export function throttleServiceSessions(clientId: string) {
  return consumeInSteps(`service-session:{${clientId}}`, limits.serviceSession)
}

/** If a full store cannot count, the revocation goes on: otherwise the token would stay active. */
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

export function throttleCode(userId: string) {
  return consume(codeKey(userId), limits.code)
}

export function releaseCodeAttempt(userId: string) {
  return release(codeKey(userId), limits.code)
}

export function clearCodeThrottle(userId: string) {
  return clear(codeKey(userId), limits.code)
}

export function throttleAddressCode(userId: string) {
  return consume(`address-code:{${userId}}`, limits.addressCode)
}

/** `releaseNetworkCode` returns the try unless the code is wrong. @throws E_TOO_MANY_REQUESTS */
export async function reserveNetworkCode(ip: string) {
  try {
    await reserve(networkCodeKey(ip), limits.addressCodeNetwork)
  } catch (error) {
    if (!(error instanceof E_TOO_MANY_REQUESTS)) throw error
    throw error.onPages('applications.verified_address.link_instead')
  }
}

export function releaseNetworkCode(ip: string) {
  return release(networkCodeKey(ip), limits.addressCodeNetwork)
}

function networkCodeKey(ip: string) {
  return `address-code-network:{${hashNetwork(ip)}}`
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
