import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { oidcProvider } from '#oidc/provider/provider'

/** Returns the client of a request that a form has sent back, or null for a forged request. */
export async function findRepeatedRequest(params: URLSearchParams) {
  const [clientId, redirectUri] = [params.get('client_id'), params.get('redirect_uri')]
  if (!clientId || !redirectUri || isMetadataUrl(clientId)) return null
  const client = await oidcProvider().Client.find(clientId)
  return client?.redirectUriAllowed(redirectUri) ? { client, redirectUri } : null
}
