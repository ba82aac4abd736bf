import { keyFor, mac } from '#database/keyed_hash'
import ipaddr from 'ipaddr.js'

// Keyed hashes: an attacker who reads the store cannot guess the addresses behind its counts.
const KEY = keyFor('gatehouse count keys')

export function hashEmail(email: string) {
  return mac(KEY, ['email', email])
}

export function hashAddress(ip: string) {
  return mac(KEY, ['ip', ipPrefix(ip)])
}

/** Counts IPv6 by its /64, because a subscriber has a fresh address in it for every request. */
export function ipPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
