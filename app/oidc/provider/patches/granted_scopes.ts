import Provider, { errors, type Client, type Context } from 'oidc-provider'
import { grantableScopes, identityScopes } from '#oidc/tokens/resource_servers'
import type { OwnMetadata } from '#oidc/clients/metadata'

/*
 | What a client gets at the token endpoint of what it may have at this moment: an administrator
 | who takes a scope from it takes it from live grants, too, at their next use.
 */

/** Identity scopes. `getResourceServer` decides on scopes of the API. */
export function shrinkGrants({ Grant }: Provider) {
  const granted = Grant.prototype.getOIDCScope
  Grant.prototype.getOIDCScope = function () {
    const scopes = granted.call(this)
    const client = Provider.ctx?.oidc?.client
    return client ? within(scopes, identityScopes(client)) : scopes
  }
}

function within(scopes: string, allowed: readonly string[]) {
  return scopes
    .split(' ')
    .filter((scope) => allowed.includes(scope))
    .join(' ')
}

/** A client that acts for its service account gets what it may have, as the library reads what was asked for. */
export function limitServiceScopes({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'requestParamScopes', {
    get(this: Context['oidc']) {
      const { client, params } = this
      if (params.grant_type === 'client_credentials') return serviceScopes(client, params)
      return new Set(params.scope?.split(' '))
    },
  })
}

/**
 * Without a scope the client gets all of its own, and otherwise those of them that it asks for
 * (RFC 6749, section 3.3). There is no refresh token to ask for.
 *
 * @throws invalid_scope if it may have none of them
 */
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
