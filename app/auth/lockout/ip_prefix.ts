import ipaddr from 'ipaddr.js'

/** Counts IPv6 by its /64, because a subscriber has a fresh address in it for every request. */
export function ipPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
