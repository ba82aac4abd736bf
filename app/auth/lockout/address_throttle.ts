import throttles from '#config/throttles'
import { ipPrefix } from './ip_prefix.ts'
import { clear, consume, isWithin, type RateLimit } from './rate_limit.ts'

/*
 | Throttles that count by the client's address alone. Routes name one with
 | `middleware.throttle({ by })`; the prefix is that of the key in the store.
 */
const ADDRESS_THROTTLES = {
  login: { prefix: 'login-ip', limit: throttles.loginAddress },
  /** Codes at the second step of a login; the user's own lock bounds them besides. */
  mfa: { prefix: 'mfa-ip', limit: throttles.loginAddress },
  /** Challenges and responses of passkeys; pages ask for a challenge as they open. */
  passkey: { prefix: 'passkey-ip', limit: throttles.loginAddress },
  /** Steps of an external login. */
  external: { prefix: 'external-ip', limit: throttles.loginAddress },
  register: { prefix: 'register', limit: throttles.register },
  mail: { prefix: 'mail-ip', limit: throttles.mailAddress },
  redeem: { prefix: 'redeem', limit: throttles.redeem },
  oauth: { prefix: 'oauth', limit: throttles.authorization },
  /** Client metadata documents that are read for an address. */
  clientDocument: { prefix: 'client-document', limit: throttles.clientDocument },
  documentation: { prefix: 'docs', limit: throttles.documentation },
} satisfies Record<string, { prefix: string; limit: RateLimit }>

export type AddressThrottle = keyof typeof ADDRESS_THROTTLES

/** @throws E_TOO_MANY_REQUESTS beyond the limit */
export function throttleAddress(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return consume(keyOf(prefix, ip), limit)
}

export function clearAddressThrottle(name: AddressThrottle, ip: string) {
  const { prefix, limit } = ADDRESS_THROTTLES[name]
  return clear(keyOf(prefix, ip), limit)
}

/** Counts a failed sign-in of an address, and says whether it still gets an event of its own. */
export function isWithinFailureEvents(ip: string) {
  return isWithin(keyOf('failure-event', ip), throttles.failureEvents)
}

/** The braces are a hash tag: in a Redis Cluster, all keys of an address are in one slot. */
function keyOf(prefix: string, ip: string) {
  return `${prefix}:{${ipPrefix(ip)}}`
}
