import settings from '#config/oidc'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'

/* `OIDC_CLIENT_METADATA` determines which documents may describe a client. */

/** Returns null for other ids, and while documents are off. */
export function parseServedUrl(clientId: string) {
  return settings.documents.isOn ? parseMetadataUrl(clientId) : null
}

export function isAllowedHost({ hostname }: URL) {
  const { hosts } = settings.documents
  const isOf = (host: string) => hostname === host || hostname.endsWith(`.${host}`)
  return hosts.length === 0 || hosts.some(isOf)
}

/** The settings may have changed since the client got its tokens. */
export function isServed(clientId: string) {
  const url = parseServedUrl(clientId)
  return url !== null && isAllowedHost(url)
}
