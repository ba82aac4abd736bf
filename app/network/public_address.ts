import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Azure's metadata, outside every special range. */
const INSIDE = new Set(['168.63.129.16'])

/** RFC 4291, section 2.4; IANA has given out nothing else. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** RFC 6890: clouds keep metadata on link-local addresses. */
export function isPublicAddress(address: string) {
  if (isIP(address) === 0 || INSIDE.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST)
}
