import { keyFor, mac } from '#database/keyed_hash'
import { ipPrefix } from './ip_prefix.ts'

// Keyed hashes: an attacker who reads the store cannot guess the addresses behind its counts.
const KEY = keyFor('gatehouse count keys')

export function hashEmail(email: string) {
  return mac(KEY, ['email', email])
}

export function hashAddress(ip: string) {
  return mac(KEY, ['ip', ipPrefix(ip)])
}
