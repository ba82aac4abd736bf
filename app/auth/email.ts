import { domainToASCII } from 'node:url'

/** RFC 5321, section 4.5.3.1.3: a path of 256 octets with its two angle brackets. */
export const EMAIL_MAX_LENGTH = 254

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * A domain as users type it. `domainToASCII` reads its input like the host of a URL: it ends
 * it at `/`, `?`, `#` or a backslash, drops TAB and line breaks, and decodes `%61`. Of ASCII
 * only letters, digits, dots and dashes are allowed, so that no other domain comes of it.
 */
const TYPED_DOMAIN = /^(?:[a-z0-9.-]|[^\0-\x7f])+$/i

/** Characters that `domainToASCII` removes without a trace; U+200C and U+200D are letters' joints. */
const REMOVED = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/u

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
  return email.length <= EMAIL_MAX_LENGTH ? email : null
}

/** The lower-case ASCII form of a domain as users type it; null for what is none. */
export function canonicalDomain(input: string): string | null {
  if (!TYPED_DOMAIN.test(input) || REMOVED.test(input)) return null
  const domain = domainToASCII(input).toLowerCase()
  return DOMAIN.test(domain) && domain !== SERVICE_DOMAIN ? domain : null
}

/** RFC 2606, section 2: no mail server ever answers for `.invalid`. */
const SERVICE_DOMAIN = 'service.invalid'

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
