import vine from '@vinejs/vine'
import limits from '#config/limits'

const text = () => vine.string().maxLength(limits.webfingerText)

/** An absolute URI (RFC 3986); an account has a user and a host (RFC 7565). */
const RESOURCE = /^(?:acct:[^\s@]+@[^\s@]+|(?!acct:)[a-z][a-z\d+.-]*:\S+)$/i

/** A relation may occur one or more times (RFC 7033, section 4.3). */
export const webfingerValidator = vine.create({
  resource: text().regex(RESOURCE),
  rel: vine
    .array(text())
    .maxLength(limits.webfingerRelations)
    .parse((value) => (typeof value === 'string' ? [value] : value))
    .optional(),
})
