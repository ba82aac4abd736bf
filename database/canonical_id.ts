import { validate as isUuid } from 'uuid'

/** Postgres finds a UUID in either case (RFC 9562, section 4), SQLite in lower case only. */
export function canonicalId(text: string) {
  return isUuid(text) ? text.toLowerCase() : text
}
