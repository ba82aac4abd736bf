import { CLIENT_CLAIMS } from '#oidc/tokens/client_claims'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 passes on only the claims that its configuration names. Patched, ID tokens and
 * userinfo also contain the claims that the field `claims` of a client adds.
 */
export function addClientClaims({ Claims }: Provider) {
  const { result } = Claims.prototype
  Claims.prototype.result = async function () {
    return { ...(await result.call(this)), ...this.available[CLIENT_CLAIMS] }
  }
}
