import ipaddr from 'ipaddr.js'

/**
 * The addresses that count as one client: an IPv4 address alone, an IPv6 address with its
 * /64. A provider assigns a whole /64 to each subscriber, so an attacker could use a fresh
 * address for every request. An IPv4 address mapped into IPv6 counts as IPv4.
 */
export function ipPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
