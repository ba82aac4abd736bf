import Provider from 'oidc-provider'
import { within as withinScopes } from '#oidc/tokens/requested_claims'
import { identityScopes } from '#oidc/tokens/resource_servers'

/**
 * oidc-provider 9.13 issues all scopes and claims of a grant. Patched, a live grant also loses what
 * its client has lost; `getResourceServer` decides on scopes of the API.
 */
export function limitGrantedScopes({ Grant }: Provider) {
  const granted = Grant.prototype.getOIDCScope
  Grant.prototype.getOIDCScope = function () {
    const scopes = granted.call(this)
    const client = Provider.ctx?.oidc?.client
    return client ? within(scopes, identityScopes(client)) : scopes
  }
  const claimed = Grant.prototype.getOIDCClaims
  Grant.prototype.getOIDCClaims = function () {
    const claims = claimed.call(this)
    const client = Provider.ctx?.oidc?.client
    return client ? withinScopes(claims, client) : claims
  }
}

function within(scopes: string, allowed: readonly string[]) {
  const kept = scopes.split(' ').filter((scope) => allowed.includes(scope))
  return kept.join(' ')
}
