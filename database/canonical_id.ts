import { validate as isUuid } from 'uuid'

/**
 * A UUID as the databases keep it; any other text stays as it is. Its letters may come in either
 * case (RFC 9562, section 4): Postgres finds the row all the same, SQLite does not.
 */
export function canonicalId(text: string) {
  return isUuid(text) ? text.toLowerCase() : text
}
