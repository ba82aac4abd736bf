import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses outside every special range that are still inside a cloud: Azure's metadata. */
const INSIDE = new Set(['168.63.129.16'])

/** All that is routed on the internet (RFC 4291, section 2.4; IANA has given out nothing else). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the internet and to no network of this installation: neither
 * loopback, private, link-local (where clouds keep their metadata), shared, mapped, translated
 * nor reserved (RFC 6890). What is not known to be public is not.
 */
export function isPublicAddress(address: string) {
  if (isIP(address) === 0 || INSIDE.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST)
}
