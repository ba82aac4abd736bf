import { domainToASCII } from 'node:url'

/** RFC 2606, section 2: no mail server ever answers for `.invalid`. */
export const SERVICE_DOMAIN = 'service.invalid'

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** `domainToASCII` cuts at `/`, `?`, `#` and decodes `%61`: another domain could result. */
const TYPED_DOMAIN = /^(?:[a-z0-9.-]|[^\0-\x7f])+$/i

/** `domainToASCII` drops these; U+200C and U+200D are parts of words. */
const REMOVED = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/u

export function canonicalDomain(input: string): string | null {
  if (!TYPED_DOMAIN.test(input) || REMOVED.test(input)) return null
  const domain = domainToASCII(input).toLowerCase()
  return DOMAIN.test(domain) && domain !== SERVICE_DOMAIN ? domain : null
}
