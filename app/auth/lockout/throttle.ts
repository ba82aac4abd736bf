import { LRUCache } from 'lru-cache'
import limiter from '@adonisjs/limiter/services/main'
import throttles from '#config/throttles'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { hashEmail } from '#auth/email'
import { ipPrefix } from './ip_prefix.ts'

interface Throttle {
  /** Attempts allowed in a window; 0 switches the throttle off. */
  limit: number
  windowMs: number
}

/** Until when a key is over its limit: a flood of what is refused anyway writes nothing. */
const exhausted = new LRUCache<string, number>({ max: 20_000 })

/**
 * Counts an attempt and refuses it beyond the limit. The key is built here and nowhere
 * else, so that two callers can never count the same thing apart.
 */
async function consume(key: string, { limit, windowMs }: Throttle) {
  if (limit === 0) return
  const secondsLeft = ((exhausted.get(key) ?? 0) - Date.now()) / 1_000
  if (secondsLeft > 0) throw tooManyRequests(limit, secondsLeft)
  const counter = limiter.use({ requests: limit, duration: windowMs / 1_000 })
  const count = await counter.increment(key)
  if (count.consumed <= limit) return
  exhausted.set(key, Date.now() + count.availableIn * 1_000)
  throw tooManyRequests(limit, count.availableIn)
}

async function forget(key: string, { limit, windowMs }: Throttle) {
  exhausted.delete(key)
  await limiter.use({ requests: limit, duration: windowMs / 1_000 }).delete(key)
}

/** 429 with the headers that tell a client when to come back. */
function tooManyRequests(limit: number, availableIn: number) {
  const refusal = new E_TOO_MANY_REQUESTS().retryAfter(availableIn)
  refusal.headers['ratelimit-limit'] = String(limit)
  refusal.headers['ratelimit-remaining'] = '0'
  refusal.headers['ratelimit-reset'] = refusal.headers['retry-after']
  return refusal
}

/**
 * Every login attempt counts, right or wrong, on its address and on its own key; one that
 * its address may not make leaves no key behind.
 */
export async function throttleLogin(ip: string, email: string) {
  const address = ipPrefix(ip)
  const key = throttles.loginKey === 'ip' ? address : `${address}:{${hashEmail(email)}}`
  await consume(`login-ip:{${address}}`, throttles.loginAddress)
  await consume(`login:${key}`, throttles.login)
}

export function throttleRegistration(ip: string) {
  return consume(`register:{${ipPrefix(ip)}}`, throttles.register)
}

/** Mails that anybody may ask for: bounded by who asks and by who would receive. */
export async function throttleMail(ip: string, email: string) {
  await consume(`mail-ip:{${ipPrefix(ip)}}`, throttles.mailAddress)
  await consume(`mail:{${hashEmail(email)}}`, throttles.mailRecipient)
}

export function throttleRedemption(ip: string) {
  return consume(`redeem:{${ipPrefix(ip)}}`, throttles.redeem)
}

/** Refuses while this user gave too many current passwords, wrong ones above all. */
export async function throttleCurrentPassword(userId: string) {
  await consume(`password-check:{${userId}}`, throttles.passwordCheck)
  await consume(currentPasswordKey(userId), throttles.currentPassword)
}

/** Refuses while a user moves to too many addresses, or too many users to one. */
export async function throttleAddressChange(userId: string, newEmail: string) {
  await consume(`address-change:{${userId}}`, throttles.addressChange)
  await consume(`mail:{${hashEmail(newEmail)}}`, throttles.mailRecipient)
}

export function throttleUploads(userId: string) {
  return consume(`upload:{${userId}}`, throttles.upload)
}

export function throttleExport(userId: string) {
  return consume(`account-export:{${userId}}`, throttles.profileExport)
}

/** A right current password leaves no trace of the tries before it. */
export function clearCurrentPasswordThrottle(userId: string) {
  return forget(currentPasswordKey(userId), throttles.currentPassword)
}

/** Steps of an external login, by address. */
export function throttleExternal(ip: string) {
  return consume(`external-ip:{${ipPrefix(ip)}}`, throttles.loginAddress)
}

/** Codes at the second step of a login, by address: the user's own lock bounds them besides. */
export function throttleMfa(ip: string) {
  return consume(`mfa-ip:{${ipPrefix(ip)}}`, throttles.loginAddress)
}

/** Refuses while too many wrong codes were given by this user within its session. */
export function throttleCode(userId: string) {
  return consume(codeKey(userId), throttles.code)
}

/** A right code leaves no trace of the tries before it. */
export function clearCodeThrottle(userId: string) {
  return forget(codeKey(userId), throttles.code)
}

function codeKey(userId: string) {
  return `mfa-code:{${userId}}`
}

function currentPasswordKey(userId: string) {
  return `current-password:{${userId}}`
}

/** Refuses while too many wrong passwords of the documentation came from this address. */
export function throttleDocumentation(ip: string) {
  return consume(documentationKey(ip), throttles.documentation)
}

export function clearDocumentationThrottle(ip: string) {
  return forget(documentationKey(ip), throttles.documentation)
}

function documentationKey(ip: string) {
  return `docs:{${ipPrefix(ip)}}`
}
