import { hasSecret, isPublic, type OAuthClient } from './client.ts'
import { isLoopback } from './redirect_uris.ts'

export const OWN_METADATA = ['gatehouse'] as const

export interface OwnMetadata {
  kind: OAuthClient['kind']
  scopes: OAuthClient['scopes']
  serviceAccountId: string | null
  claimedName?: string | null
  secrets: Pick<OAuthClient, 'secretHash' | 'previousSecretHash' | 'previousSecretUntil'>
}

type DescribedClient = OAuthClient & Pick<OwnMetadata, 'claimedName'>

/** Without `scope`: `resource_servers.ts` leaves out what a client lacks, the library refuses it. */
export function toMetadata(client: DescribedClient) {
  const { clientId, redirectUris, postLogoutRedirectUris, grantTypes, backchannelLogoutUri } =
    client
  const hasCode = grantTypes.includes('authorization_code')
  return {
    client_id: clientId,
    client_name: client.name,
    application_type: applicationType(client),
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    grant_types: [...grantTypes],
    response_types: hasCode ? ['code'] : [],
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    id_token_signed_response_alg: 'ES256',
    ...(backchannelLogoutUri && { backchannel_logout_uri: backchannelLogoutUri }),
    backchannel_logout_session_required: true,
    /** Never compared: `patches/client_secrets.ts` compares hashes. */
    ...(hasSecret(client) && { client_secret: 'hashed' }),
    gatehouse: ownMetadata(client),
  }
}

function ownMetadata(client: DescribedClient): OwnMetadata {
  const { kind, scopes, serviceAccountId, claimedName } = client
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const secrets = { secretHash, previousSecretHash, previousSecretUntil }
  return { kind, scopes, serviceAccountId, claimedName, secrets }
}

/** An app may use any port of loopback, and schemes of its own (RFC 8252). */
function applicationType(client: OAuthClient) {
  const hasSecureLoopback = client.redirectUris.some((uri) => {
    const url = new URL(uri)
    return url.protocol === 'https:' && isLoopback(url)
  })
  return isPublic(client) && !hasSecureLoopback ? 'native' : 'web'
}
