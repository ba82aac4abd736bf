import limits from '#config/limits'
import { hashAddress } from './count_keys.ts'
import { clear, consume, isWithin, uncount, type RateLimit } from './rate_limit.ts'

/*
 | Throttles that count by the client's address alone. Routes name one with
 | `middleware.throttle({ by })`; the prefix is that of the key in the store.
 */
const ADDRESS_THROTTLES = {
  login: { prefix: 'login-ip', limit: limits.loginAddress },
  /** Codes at the second step of a login; the user's own lock bounds them besides. */
  mfa: { prefix: 'mfa-ip', limit: limits.loginAddress },
  /** Challenges and responses of passkeys; pages ask for a challenge as they open. */
  passkey: { prefix: 'passkey-ip', limit: limits.loginAddress },
  /** Steps of an external login. */
  external: { prefix: 'external-ip', limit: limits.loginAddress },
  register: { prefix: 'register', limit: limits.register },
  mail: { prefix: 'mail-ip', limit: limits.mailAddress },
  redeem: { prefix: 'redeem', limit: limits.redeem },
  oauth: { prefix: 'oauth', limit: limits.authorization },
  /** Client metadata documents that are read for an address. */
  clientDocument: { prefix: 'client-document', limit: limits.clientDocument },
  documentation: { prefix: 'docs', limit: limits.documentation },
} satisfies Record<string, { prefix: string; limit: RateLimit }>

export type AddressThrottle = keyof typeof ADDRESS_THROTTLES

/** @throws E_TOO_MANY_REQUESTS beyond the limit */
export function throttleAddress(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return consume(keyOf(prefix, ip), limit)
}

export function uncountAddress(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return uncount(keyOf(prefix, ip), limit)
}

export function clearAddressThrottle(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return clear(keyOf(prefix, ip), limit)
}

/** Counts a failed sign-in of an address, and says whether it still gets an event of its own. */
export function isWithinFailureEvents(ip: string) {
  return isWithin(keyOf('failure-event', ip), limits.failureEvents)
}

/** The braces are a hash tag: in a Redis Cluster, all keys of an address are in one slot. */
function keyOf(prefix: string, ip: string) {
  return `${prefix}:{${hashAddress(ip)}}`
}
