import type { Client } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'

/** Some applications never ask for `offline_access`, but expect a refresh token. */
export function getsRefreshToken(client: Client, scopes: string[]) {
  const { refreshTokens, scopes: registered }: OwnMetadata = client.gatehouse
  if (!client.grantTypeAllowed('refresh_token')) return false
  const isAllowed = registered.includes('offline_access')
  return refreshTokens === 'always' || (isAllowed && scopes.includes('offline_access'))
}
