import limits from '#config/limits'
import { canonicalDomain, SERVICE_DOMAIN } from './email_domain.ts'

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/

/** Dots and `+` suffixes stay: only the mail provider knows which addresses share a mailbox. */
export function canonicalEmail(input: string): string | null {
  /** Converting some domains takes time proportional to the square of their length. */
  if (input.length > 4 * limits.email) return null
  const trimmed = input.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  const domain = trimmed.slice(at + 1)
  // U+212A KELVIN SIGN lowers to “k”: an attacker's address must not become a victim's.
  if (at < 1 || !/^[\x21-\x7e]+$/.test(local)) return null
  const ascii = canonicalDomain(domain)
  if (!ascii || !LOCAL_PART.test(local.toLowerCase())) return null
  const email = `${local.toLowerCase()}@${ascii}`
  return email.length <= limits.email ? email : null
}

/** A placeholder, because the column must be unique; no mail is queued for it. */
export function servicePlaceholder(id: string) {
  return `${id}@${SERVICE_DOMAIN}`
}

export function isPlaceholder(email: string) {
  return email.endsWith(`@${SERVICE_DOMAIN}`)
}
