import string from '@adonisjs/core/helpers/string'
import { hasSecret, type OAuthClient } from './client.ts'

export const OWN_METADATA = ['gatehouse'] as const

export interface OwnMetadata {
  kind: OAuthClient['kind']
  scopes: OAuthClient['scopes']
  requirePkce: boolean
  serviceAccountId: string | null
  idTokenClaims: boolean
  refreshTokens: OAuthClient['refreshTokens']
  /** In milliseconds; null for `REFRESH_TOKEN_TTL`. */
  refreshTtlMs: number | null
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
    /** `patches/redirect_addresses.ts` has the rules of addresses. */
    application_type: 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    grant_types: [...grantTypes],
    response_types: hasCode ? ['code'] : [],
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    id_token_signed_response_alg: client.idTokenAlgorithm,
    ...(backchannelLogoutUri && { backchannel_logout_uri: backchannelLogoutUri }),
    backchannel_logout_session_required: true,
    /** Never compared: `patches/client_secrets.ts` compares hashes. */
    ...(hasSecret(client) && { client_secret: 'hashed' }),
    gatehouse: ownMetadata(client),
  }
}

function ownMetadata(client: DescribedClient): OwnMetadata {
  const { kind, scopes, requirePkce, serviceAccountId, claimedName } = client
  const { idTokenClaims, refreshTokens, refreshTokenTtl } = client
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const secrets = { secretHash, previousSecretHash, previousSecretUntil }
  const refreshTtlMs = refreshTokenTtl === null ? null : string.milliseconds.parse(refreshTokenTtl)
  const tokens = { idTokenClaims, refreshTokens, refreshTtlMs }
  return { kind, scopes, requirePkce, serviceAccountId, claimedName, ...tokens, secrets }
}
