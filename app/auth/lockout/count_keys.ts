import { keyFor, mac } from '#audit/privacy/keyed_hash'
import { ipPrefix } from './ip_prefix.ts'

/*
 | What counts stand under: keyed hashes, so that neither `rate_limits` nor Redis holds an
 | address of a person, not even one that could be guessed from its hash. A count outlives the
 | user whose address it has.
 */
const KEY = keyFor('gatehouse count keys')

/** Of an e-mail address, or of what is counted in its place. */
export function hashEmail(email: string) {
  return mac(KEY, ['email', email])
}

/** Of the addresses that count as one client. */
export function hashAddress(ip: string) {
  return mac(KEY, ['ip', ipPrefix(ip)])
}
