import limits from '#config/limits'
import { hashAddress } from './count_keys.ts'
import { clear, consume, tryConsume, release, type RateLimit } from './rate_limit.ts'

// These throttles count only by client address. Routes name one: `middleware.throttle({ by })`.
const ADDRESS_THROTTLES = {
  login: { prefix: 'login-ip', limit: limits.loginAddress },
  mfa: { prefix: 'mfa-ip', limit: limits.loginAddress },
  passkey: { prefix: 'passkey-ip', limit: limits.loginAddress },
  external: { prefix: 'external-ip', limit: limits.loginAddress },
  register: { prefix: 'register', limit: limits.register },
  mail: { prefix: 'mail-ip', limit: limits.mailAddress },
  redeem: { prefix: 'redeem', limit: limits.redeem },
  oauth: { prefix: 'oauth', limit: limits.authorization },
  clientDocument: { prefix: 'client-document', limit: limits.clientDocument },
  documentation: { prefix: 'docs', limit: limits.documentation },
} satisfies Record<string, { prefix: string; limit: RateLimit }>

export type AddressThrottle = keyof typeof ADDRESS_THROTTLES

/** @throws E_TOO_MANY_REQUESTS beyond the limit */
export function throttleAddress(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return consume(keyOf(prefix, ip), limit)
}

export function releaseAddressAttempt(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return release(keyOf(prefix, ip), limit)
}

export function clearAddressThrottle(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return clear(keyOf(prefix, ip), limit)
}

export function isWithinFailureEvents(ip: string) {
  return tryConsume(keyOf('failure-event', ip), limits.failureEvents)
}

// The hash tag in braces: a Redis Cluster keeps all keys of an address in one slot.
function keyOf(prefix: string, ip: string) {
  return `${prefix}:{${hashAddress(ip)}}`
}
