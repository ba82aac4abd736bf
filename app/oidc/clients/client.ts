import { SCOPES, type Scope } from '#auth/api_keys/scopes'
import type { ClaimSources } from '#auth/claims/claim_sources'
import type { KeyAlgorithm } from '#auth/signing_keys/signing_key'

/** `first_party` is an application of the installation itself: it asks its users for no consent. */
export const CLIENT_KINDS = ['first_party', 'third_party'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** RFC 6749 and RFC 8628. The implicit and the password grant are left out (RFC 9700, section 2). */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_GRANT,
] as const
export type GrantType = (typeof GRANT_TYPES)[number]

/** `none` is a public client: an app of a browser, phone or desktop, which cannot keep a secret. */
export const AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** What the application learns about a user (OpenID Connect Core, section 5.4). */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const

/** Applications of other organizations learn groups only if an administrator allows it. */
export const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const

const KEY_SCOPES: readonly Scope[] = [
  'clients:write',
  'tokens:introspect',
  'groups:read',
  'groups:write',
  'webhooks:read',
  'webhooks:write',
]

export const API_SCOPES = SCOPES.filter((scope) => !KEY_SCOPES.includes(scope))

export const CLIENT_SCOPES = [...IDENTITY_SCOPES, ...API_SCOPES] as const
export type ClientScope = (typeof IDENTITY_SCOPES)[number] | Scope

/** With `scope`, a client gets a refresh token only for `offline_access`. */
export const REFRESH_TOKENS = ['scope', 'always'] as const
export type RefreshTokens = (typeof REFRESH_TOKENS)[number]

/** With `groups`, only the members of `allowedGroups` may use the client. */
export const ACCESS = ['everybody', 'groups'] as const
export type Access = (typeof ACCESS)[number]

/** RFC 7517; contains only public keys. */
export interface KeySet {
  keys: Record<string, unknown>[]
}

export interface ClientSettings {
  name: string
  kind: ClientKind
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  grantTypes: GrantType[]
  scopes: ClientScope[]
  tokenEndpointAuthMethod: AuthMethod
  jwks: KeySet | null
  jwksUri: string | null
  backchannelLogoutUri: string | null
  serviceAccountId: string | null
  homeUrl: string | null
  requirePkce: boolean
  idTokenAlgorithm: KeyAlgorithm
  idTokenClaims: boolean
  claims: ClaimSources
  allowHttp: boolean
  requireVerifiedEmail: boolean
  refreshTokens: RefreshTokens
  /** A duration such as `30d`; null for `REFRESH_TOKEN_TTL`. */
  refreshTokenTtl: string | null
  requirePar: boolean
  requireDpop: boolean
  access: Access
  /** Names of groups; an empty list lets no user in. */
  allowedGroups: string[]
  requireMfa: boolean
}

export function hasApiScope({ scopes }: Pick<ClientSettings, 'scopes'>) {
  return API_SCOPES.some((scope) => scopes.includes(scope))
}

/** Returns whether the client acts in our API or asks for no consent, which no key may allow. */
export function isTrusted(client: Pick<ClientSettings, 'scopes' | 'serviceAccountId' | 'kind'>) {
  return hasApiAccess(client) || client.kind === 'first_party'
}

export function hasApiAccess(client: Pick<ClientSettings, 'scopes' | 'serviceAccountId'>) {
  return hasApiScope(client) || client.serviceAccountId !== null
}

/** Times in milliseconds. */
export interface OAuthClient extends ClientSettings {
  id: string
  clientId: string
  /** The names of groups may change, unlike their ids. */
  allowedGroupIds: string[]
  /** Kept until a job has ended the sessions that they allowed (`forget_group.ts`). */
  deletedGroupIds: string[]
  /** A path of this server. */
  logo: string | null
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
  /** A hash that another product made. */
  secretDigest: string | null
  createdAt: number
  updatedAt: number
}

type Method = Pick<OAuthClient, 'tokenEndpointAuthMethod'>

export function isPublic({ tokenEndpointAuthMethod }: Method) {
  return tokenEndpointAuthMethod === 'none'
}

export function hasSecret({ tokenEndpointAuthMethod }: { tokenEndpointAuthMethod: string }) {
  return tokenEndpointAuthMethod.startsWith('client_secret_')
}

export function hasPrivateKeyJwt({ tokenEndpointAuthMethod }: Method) {
  return tokenEndpointAuthMethod === 'private_key_jwt'
}

export function toRecord(client: OAuthClient) {
  const { secretHash, secretDigest, previousSecretHash, previousSecretUntil, ...rest } = client
  const { createdAt, updatedAt, ...shown } = rest
  const { id, clientId, name, allowedGroupIds, deletedGroupIds, ...others } = shown
  return {
    id,
    clientId,
    name,
    ...others,
    previousSecretUntil: previousSecretUntil && new Date(previousSecretUntil).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

export type ClientRecord = ReturnType<typeof toRecord>
