import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 writes `sid` only into ID tokens of clients with a back-channel logout address
 * that require it. Patched, every ID token names its session.
 */
export function nameSessions({ Client }: Provider) {
  Client.prototype.includeSid = () => true
}
