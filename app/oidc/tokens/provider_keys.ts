import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import { signJws } from '#auth/signing_keys/jws_signer'
import type { KeyAlgorithm } from '#auth/signing_keys/signing_key'

/**
 * The library signs with one key that stands for the current signing key of a purpose: keys
 * rotate while it runs. Its private part never leaves `app/auth/signing_keys`, and its public
 * part is published there. The header of each token names the key that signs it: the `kid` here
 * is shared by all requests, and only tells the library's keys apart.
 */
class LibraryKey extends ExternalSigningKey {
  readonly #placeholder: KeyObject

  constructor(algorithm: KeyAlgorithm, kid: string) {
    super()
    this.alg = algorithm
    this.kid = kid
    this.#placeholder = placeholder(algorithm)
  }

  /** Of the right type, and never used: tokens are verified by our keys (`id_token_hint.ts`). */
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

export const identityKey = new LibraryKey('ES256', 'identity')

/** For access tokens of the API, where they are signed by a key pair. */
export const apiKeys: Record<KeyAlgorithm, LibraryKey> = {
  ES256: new LibraryKey('ES256', 'api-es256'),
  EdDSA: new LibraryKey('EdDSA', 'api-eddsa'),
}
