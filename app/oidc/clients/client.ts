import { SCOPES, type Scope } from '#auth/api_keys/scopes'

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

/** `none` is a public client, an app of a browser, phone or desktop, which can keep no secret. */
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** What the application learns about a user (OpenID Connect Core, section 5.4). */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const

export const API_SCOPES = SCOPES.filter(
  (scope) => scope !== 'clients:write' && scope !== 'tokens:introspect'
)

export const CLIENT_SCOPES = [...IDENTITY_SCOPES, ...API_SCOPES] as const
export type ClientScope = (typeof IDENTITY_SCOPES)[number] | Scope

export interface ClientSettings {
  name: string
  kind: ClientKind
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  grantTypes: GrantType[]
  scopes: ClientScope[]
  tokenEndpointAuthMethod: AuthMethod
  backchannelLogoutUri: string | null
  serviceAccountId: string | null
}

export const DEFAULTS: Omit<ClientSettings, 'name'> = {
  kind: 'third_party',
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: [...IDENTITY_SCOPES],
  tokenEndpointAuthMethod: 'client_secret_basic',
  backchannelLogoutUri: null,
  serviceAccountId: null,
}

/** Times in milliseconds. */
export interface OAuthClient extends ClientSettings {
  id: string
  clientId: string
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
  createdAt: number
  updatedAt: number
}

export function isPublic({
  tokenEndpointAuthMethod,
}: Pick<OAuthClient, 'tokenEndpointAuthMethod'>) {
  return tokenEndpointAuthMethod === 'none'
}

export function toRecord(client: OAuthClient) {
  const { secretHash, previousSecretHash, previousSecretUntil, createdAt, updatedAt, ...shown } =
    client
  return {
    ...shown,
    formerSecretUntil: previousSecretUntil && new Date(previousSecretUntil).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

export type ClientRecord = ReturnType<typeof toRecord>
