import string from '@adonisjs/core/helpers/string'
import { hasSecret, hasPrivateKeyJwt, type OAuthClient } from './client.ts'
import { isFapi } from './client_fields.ts'
import type { AccessRule } from '#oidc/clients/access/may_access'
import type { Secrets } from './secrets.ts'

export const OWN_METADATA = ['gatehouse'] as const

export interface OwnMetadata {
  kind: OAuthClient['kind']
  scopes: OAuthClient['scopes']
  requirePkce: boolean
  isFapi: boolean
  keys: Pick<OAuthClient, 'clientId' | 'jwks' | 'jwksUri'>
  requireVerifiedEmail: boolean
  serviceAccountId: string | null
  idTokenClaims: boolean
  claims: OAuthClient['claims']
  refreshTokens: OAuthClient['refreshTokens']
  /** In milliseconds; null for `REFRESH_TOKEN_TTL`. */
  refreshTtlMs: number | null
  rule: AccessRule
  homeUrl: string | null
  logo: string | null
  claimedName?: string | null
  secrets: Secrets
  updatedAt: number
}

type DescribedClient = OAuthClient & Pick<OwnMetadata, 'claimedName'>

/** Omits `scope`: `resource_servers.ts` drops what a client lacks, the library would refuse it. */
export function toMetadata(client: DescribedClient) {
  const { clientId, redirectUris, postLogoutRedirectUris, grantTypes, backchannelLogoutUri } =
    client
  const hasCode = grantTypes.includes('authorization_code')
  return {
    client_id: clientId,
    client_name: client.name,
    /** `patches/redirect_addresses.ts` contains the rules for addresses. */
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
    /** Never read: `patches/client_assertions.ts` provides the keys. */
    ...(hasPrivateKeyJwt(client) && { jwks_uri: 'https://keys.invalid/' }),
    require_pushed_authorization_requests: client.requirePar,
    dpop_bound_access_tokens: client.requireDpop,
    gatehouse: ownMetadata(client),
  }
}

function ownMetadata(client: DescribedClient): OwnMetadata {
  const { clientId, kind, scopes, serviceAccountId, jwks, jwksUri } = client
  const { requirePkce, requireVerifiedEmail } = client
  const { secretHash, previousSecretHash, previousSecretUntil, secretDigest } = client
  const secrets = { secretHash, previousSecretHash, previousSecretUntil, secretDigest }
  const shown = { homeUrl: client.homeUrl, logo: client.logo, claimedName: client.claimedName }
  const required = { requirePkce, requireVerifiedEmail }
  const own = { kind, scopes, ...required, serviceAccountId, ...shown, secrets }
  const { access, allowedGroupIds, requireMfa, updatedAt } = client
  const rule = { access, allowedGroupIds, requireMfa }
  const keys = { clientId, jwks, jwksUri }
  return { ...own, rule, ...tokensOf(client), isFapi: isFapi(client), keys, updatedAt }
}

function tokensOf({ claims, idTokenClaims, refreshTokens, refreshTokenTtl: ttl }: OAuthClient) {
  const refreshTtlMs = ttl === null ? null : string.milliseconds.parse(ttl)
  return { claims, idTokenClaims, refreshTokens, refreshTtlMs }
}
