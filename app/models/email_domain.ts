import { domainToASCII } from 'node:url'

/** RFC 2606, section 2: no mail server ever answers for `.invalid`. */
export const SERVICE_DOMAIN = 'service.invalid'

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * A domain as users type it. `domainToASCII` reads its input like the host of a URL: it ends
 * it at `/`, `?`, `#` or a backslash, drops TAB and line breaks, and decodes `%61`. Of ASCII
 * only letters, digits, dots and dashes are allowed, so that no other domain comes of it.
 */
const TYPED_DOMAIN = /^(?:[a-z0-9.-]|[^\0-\x7f])+$/i

/** Characters that `domainToASCII` removes without a trace; U+200C and U+200D are letters' joints. */
const REMOVED = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/u

/** The lower-case ASCII form of a domain as users type it; null for what is none. */
export function canonicalDomain(input: string): string | null {
  if (!TYPED_DOMAIN.test(input) || REMOVED.test(input)) return null
  const domain = domainToASCII(input).toLowerCase()
  return DOMAIN.test(domain) && domain !== SERVICE_DOMAIN ? domain : null
}
