import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import { signJws } from '#auth/signing_keys/jws_signer'
import type { KeyAlgorithm } from '#auth/signing_keys/signing_key'

/** Stands for the current signing key, which rotates: its private part stays in `signing_keys`. */
class ProviderKey extends ExternalSigningKey {
  readonly #placeholder: KeyObject

  constructor(algorithm: KeyAlgorithm, kid: string) {
    super()
    this.alg = algorithm
    this.kid = kid
    this.#placeholder = placeholder(algorithm)
  }

  /** A placeholder of the right type: `id_token_hint.ts` verifies tokens. */
  override keyObject() {
    return this.#placeholder
  }

  override sign(data: Buffer) {
    return signJws(data)
  }
}

function placeholder(algorithm: KeyAlgorithm) {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519')
  return createPublicKey(privateKey)
}

export const identityKey = new ProviderKey('ES256', 'identity')

/** For access tokens of the API, unless HS256 signs them. */
export const apiKeys: Record<KeyAlgorithm, ProviderKey> = {
  ES256: new ProviderKey('ES256', 'api-es256'),
  EdDSA: new ProviderKey('EdDSA', 'api-eddsa'),
}
