import { isRegistered } from '#oidc/clients/redirect_uris'
import type Provider from 'oidc-provider'
import type { Client } from 'oidc-provider'

/**
 * oidc-provider 9.13 allows app schemes only for `native` clients, which may use any loopback port
 * even with a secret, and no http on private addresses. Patched, our own rules apply. A client met
 * them when it was registered.
 */
export function useOwnRedirectRules(provider: Provider) {
  const { prototype, Schema } = provider.Client
  Schema.prototype.redirectUris = () => {}
  Schema.prototype.postLogoutRedirectUris = () => {}
  prototype.redirectUriAllowed = function (this: Client, uri) {
    return isRegistered(uri, this.redirectUris, isPublicClient(this))
  }
  prototype.postLogoutRedirectUriAllowed = function (this: Client, uri) {
    return isRegistered(uri, this.postLogoutRedirectUris, isPublicClient(this))
  }
}

function isPublicClient({ clientAuthMethod }: Client) {
  return clientAuthMethod === 'none'
}
