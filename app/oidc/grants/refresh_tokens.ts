import type { Client } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'

/** Some applications never ask for `offline_access`, and expect a refresh token. */
export function getsRefreshToken(client: Client, scopes: string[]) {
  const { refreshTokens }: OwnMetadata = client.gatehouse
  if (!client.grantTypeAllowed('refresh_token')) return false
  return refreshTokens === 'always' || scopes.includes('offline_access')
}
