import { isIP } from 'node:net'
import limits from '#config/limits'

/*
 | The address of a client metadata document, which is the client's id
 | (draft-ietf-oauth-client-id-metadata-document, section 3). It is compared character by
 | character, so only the form that a URL parser writes is one: without it `/a/../b`, `%2e%2e`,
 | `:443` or capital letters would be other names of the same client.
 */

/** Names of the internet: neither an address nor a name of one label or of the local network. */
function isInternetName(hostname: string) {
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return !isAddress && hostname.includes('.') && !hostname.endsWith('.')
}

/** The address of a document, or null for any other client id. */
export function parseMetadataUrl(clientId: string): URL | null {
  if (!isMetadataUrl(clientId)) return null
  const url = URL.parse(clientId)
  const isWritten = url?.href === clientId && url.protocol === 'https:'
  if (!isWritten || url.username || url.password) return null
  const isPage = url.pathname !== '/' && !clientId.includes('#')
  return isPage && isInternetName(url.hostname) ? url : null
}

/** Whether a client id can be an address at all; those of registered clients are hexadecimal. */
export function isMetadataUrl(clientId: string) {
  return clientId.startsWith('https://') && clientId.length <= limits.clientId
}
