import { isRegistered } from '#oidc/clients/redirect_uris'
import type Provider from 'oidc-provider'
import type { Client } from 'oidc-provider'

/**
 * oidc-provider 9.13 ties schemes of apps to `native` clients, which take any port of loopback even
 * with a secret and no http on private addresses. Patched, our own rules hold, which a client has
 * met when it was registered.
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
