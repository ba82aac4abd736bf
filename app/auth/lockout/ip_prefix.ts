import ipaddr from 'ipaddr.js'

/**
 * The addresses that count as one caller: an IPv4 address alone, an IPv6 address with
 * its /64, because a household is handed a whole /64 and could take a fresh address for
 * every request. IPv4 written as IPv6 is the IPv4 address.
 */
export function ipPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
