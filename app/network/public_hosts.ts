import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/* Connections go to checked addresses: a second answer could differ (DNS rebinding). */

/** `dns.lookup` would read the hosts file, and block a thread that hashing needs. */
async function resolve(hostname: string, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  const answers = await Promise.allSettled(lookups)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

export const network = { resolve, isPublic: isPublicAddress }

export class NotPublicError extends Error {
  name = 'NotPublicError'
}

/** A subclass: to others, it looks the same as a name whose addresses may not be called. */
export class NameNotFoundError extends NotPublicError {
  code = 'ENOTFOUND'
}

const MOST_ADDRESSES = 4

/** @throws NotPublicError unless all addresses are public; it does not tell whether there is one */
export async function publicAddressesOf(hostname: string, signal: AbortSignal) {
  const addresses = await network.resolve(hostname, signal)
  if (addresses.length === 0 || !addresses.every(network.isPublic)) throw new NotPublicError()
  return addresses.slice(0, MOST_ADDRESSES)
}

/**
 * Calls back later, as `dns.lookup` does: a connection without a route fails immediately, and its
 * error would end the process before anything listens.
 */
export function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) =>
    process.nextTick(() =>
      all ? callback(null, found) : callback(null, found[0].address, found[0].family)
    )
}

/** Azure's metadata service, which is outside every special range. */
const INSIDE = new Set(['168.63.129.16'])

/** IANA has assigned no other addresses (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** RFC 6890: clouds keep metadata on link-local addresses. */
export function isPublicAddress(address: string) {
  if (isIP(address) === 0 || INSIDE.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST)
}
