import limits from '#config/limits'
import { canonicalDomain, SERVICE_DOMAIN } from './email_domain.ts'

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/

/**
 * The one form in which an e-mail address is stored, compared, throttled and locked:
 * trimmed, lower-case, its domain in ASCII. Null for a string that is no address. Dots and
 * `+` suffixes stay: only the mail provider knows which addresses share a mailbox.
 *
 * The local part must be ASCII before it is lowered: a character of another script (U+212A
 * KELVIN SIGN lowers to “k”) must not turn an attacker's address into a victim's.
 */
export function canonicalEmail(input: string): string | null {
  const trimmed = input.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  const domain = trimmed.slice(at + 1)
  if (at < 1 || !/^[\x21-\x7e]+$/.test(local)) return null
  const ascii = canonicalDomain(domain)
  if (!ascii || !LOCAL_PART.test(local.toLowerCase())) return null
  const email = `${local.toLowerCase()}@${ascii}`
  return email.length <= limits.email ? email : null
}

/**
 * What stands in the column of the address of a service account, so that every user has
 * exactly one. It is no address: nobody can type it, and no mail is queued for it.
 */
export function servicePlaceholder(id: string) {
  return `${id}@${SERVICE_DOMAIN}`
}

export function isPlaceholder(email: string) {
  return email.endsWith(`@${SERVICE_DOMAIN}`)
}
