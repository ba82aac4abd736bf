import store from '#auth/store/service'
import { underOneConfiguration } from '#database/configuration_version'
import { findQuickClient, type ClientCredentials } from '#oidc/clients/authenticate_client'
import { findIntrospection } from './introspection.ts'
import { openToken } from './sealed_tokens.ts'

export interface QuickRequest {
  token: string
  credentials: ClientCredentials
  ip: string
}

/**
 * Answers a client that asks about its own active token for userinfo. Returns JSON, or null for any
 * other request, which needs the full introspection.
 */
export async function findQuickIntrospection({ token, credentials, ip }: QuickRequest) {
  if (openToken(token)?.clientId !== credentials.clientId) return null
  return underOneConfiguration(
    () => store.readConfiguration(),
    async () => {
      const client = await findQuickClient(credentials, ip)
      const found = client && (await findIntrospection(token, client))
      return found?.active ? JSON.stringify(found) : null
    }
  )
}
