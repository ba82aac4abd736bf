import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** RFC 1918, RFC 6598, RFC 4193 and link-local addresses, as the library names them. */
const PRIVATE_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal'])

/** Names that no public DNS server answers for, and names without a dot. */
const PRIVATE_NAME =
  /^(?:[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:local|internal|home\.arpa|lan|localhost))$/

/** The host as a browser parses it: `0xa.1` is 10.0.0.1, and `[::ffff:10.0.0.1]` leads there. */
export function isPrivateHost({ hostname }: URL) {
  const address = hostname.replace(/^\[(.+)\]$/, '$1')
  if (isIP(address) === 0) return PRIVATE_NAME.test(hostname)
  return PRIVATE_RANGES.has(ipaddr.process(address).range())
}
