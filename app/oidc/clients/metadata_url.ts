import { isIP } from 'node:net'
import limits from '#config/limits'

/*
 | Ids are compared character by character. Only the form that a URL parser writes is accepted:
 | `/a/../b`, `%2e%2e` or `:443` would name a document twice.
 */

/** Excludes IP addresses, names of one label and names of the local network. */
function isInternetName(hostname: string) {
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return !isAddress && hostname.includes('.') && !hostname.endsWith('.')
}

export function parseMetadataUrl(clientId: string): URL | null {
  if (!isMetadataUrl(clientId)) return null
  const url = URL.parse(clientId)
  const isWritten = url?.href === clientId && url.protocol === 'https:'
  if (!isWritten || url.username || url.password) return null
  const isPage = url.pathname !== '/' && !clientId.includes('#')
  return isPage && isInternetName(url.hostname) ? url : null
}

/** The id of a registered client never begins with `https://`. */
export function isMetadataUrl(clientId: string) {
  return clientId.startsWith('https://') && clientId.length <= limits.clientId
}
