import { errors, type Client, type Context } from 'oidc-provider'
import { grantableScopes } from '#oidc/tokens/resource_servers'
import type Provider from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'

/**
 * oidc-provider 9.13 refuses `client_credentials` for a scope that the client lacks, and grants
 * none if none is requested. Patched, it grants the scopes that the client has (RFC 6749, 3.3).
 */
export function limitServiceScopes({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'requestParamScopes', {
    get(this: Context['oidc']) {
      const { client, params } = this
      if (params.grant_type === 'client_credentials') return serviceScopes(client, params)
      return new Set(params.scope?.split(' '))
    },
  })
}

/** @throws invalid_scope if the client has none of the requested scopes */
function serviceScopes(client: Client, { scope, resource }: Context['oidc']['params']) {
  const { scopes }: OwnMetadata = client.gatehouse
  const own: string[] = scopes.filter((each) => each !== 'offline_access')
  const grantable = grantableScopes(client, { scope: scope ?? own.join(' '), resource })
  const granted = grantable.filter((each) => own.includes(each))
  if (scope && granted.length === 0) {
    throw new errors.InvalidScope('the client may have none of the requested scopes', scope)
  }
  return new Set(granted)
}
