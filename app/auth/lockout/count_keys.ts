import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { networkOf } from '#auth/devices/fingerprint'
import { keyFor, mac } from '#database/keyed_hash'

// Keyed hashes: an attacker who reads the store cannot guess the addresses behind its counts.
const KEY = keyFor('gatehouse count keys')

export function hashEmail(email: string) {
  return mac(KEY, ['email', email])
}

const hashes = new LRUCache<string, string>({ max: 10_000 })

/** A proxy may forward any text as an address. */
const LONGEST_ADDRESS = 45

/** Caches the hashes, because applications send all their requests from a few addresses. */
export function hashAddress(ip: string) {
  const known = hashes.get(ip)
  if (known !== undefined) return known
  const hash = mac(KEY, ['ip', ipPrefix(ip)])
  if (ip.length <= LONGEST_ADDRESS) hashes.set(ip, hash)
  return hash
}

/** Counts IPv6 by /64, because a subscriber can use a new address in it for every request. */
export function ipPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}

export function hashNetwork(ip: string) {
  return mac(KEY, ['network', networkOf(ip)])
}
