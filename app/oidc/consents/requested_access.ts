import { grantableScopes } from '#oidc/tokens/resource_servers'
import { requestedClaims, scopesOfClaims } from '#oidc/tokens/requested_claims'
import type { Client } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { RequestedAccess } from './consents.ts'

interface AuthorizationParameters {
  scope?: string
  claims?: string
  resource?: string | string[]
}

export interface AuthorizedAccess extends RequestedAccess {
  claims: string[]
}

/** Returns the access that a request asks for, limited to what its client may have. */
export function accessOf(
  client: Client | undefined,
  params: AuthorizationParameters
): AuthorizedAccess {
  const scopes = grantableScopes(client, params)
  const resources = [params.resource ?? []].flat()
  if (!client) return { scopes, resources, implied: [], claims: [] }
  const claims = requestedClaims(params, client)
  const implied = [...scopesOfClaims(claims), ...stayingSignedIn(client)]
  return { scopes, resources, claims, implied: implied.filter((each) => !scopes.includes(each)) }
}

/** Users consent to refresh tokens without the scope as they do to `offline_access`. */
function stayingSignedIn(client: Client) {
  const { refreshTokens }: OwnMetadata = client.gatehouse
  const isAlways = refreshTokens === 'always' && client.grantTypeAllowed('refresh_token')
  return isAlways ? ['offline_access'] : []
}

/** A claim tells an application what its scope would. */
export function scopesWithClaims({ scopes, claims }: Pick<AuthorizedAccess, 'scopes' | 'claims'>) {
  return [...new Set([...scopes, ...scopesOfClaims(claims)])]
}

/** Returns the scopes as the consent page shows them. */
export function shownScopes({ scopes, implied = [] }: RequestedAccess) {
  return [...scopes, ...implied]
}
