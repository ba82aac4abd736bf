import { retryIfRevoked } from '#auth/signing_keys/jws_signer'
import { withIdentityKey } from '#oidc/tokens/provider_keys'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 composes a token once, and fails if its key is revoked before the signature.
 * Patched, the token is composed again for the next key.
 */
export function signWithLiveKeys({ AccessToken, ClientCredentials, IdToken }: Provider) {
  for (const { prototype } of [AccessToken, ClientCredentials]) {
    const compose = prototype.getValueAndPayload
    prototype.getValueAndPayload = function () {
      return retryIfRevoked(() => compose.call(this))
    }
  }
  const { issue } = IdToken.prototype
  IdToken.prototype.issue = function (options) {
    const { idTokenSignedResponseAlg: algorithm } = this.client
    return retryIfRevoked(() => withIdentityKey(algorithm, () => issue.call(this, options)))
  }
}
